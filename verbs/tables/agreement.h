// Who agrees with whom (FSP Table 5): lines with what has no value, and with the papers' figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/agree/agreement_report.h"
#include "query/study/published.h"
#include "storage/store.h"

namespace residue::verbs {

struct AgreementFigures {
  query::AgreementLine line;
  // The measures that do not exist because a side always says the same (`line.constant`): "spearman", "kappa", "cohen",
  // "alpha", "kappa_linear".
  std::vector<std::string> undefined;
  std::vector<const query::PublishedRow*> published;
};

// Which they are of a line.
AgreementFigures agreement_figures(query::AgreementLine line, bool published);

// As query::load_agreement; `published`: with the papers' figures. The caller holds Store::hold_texts(). Throws
// Error{not found} where there is no line.
std::vector<AgreementFigures> agreement(storage::Store& store, const std::optional<std::string>& dataset,
                                        bool published);

}  // namespace residue::verbs
