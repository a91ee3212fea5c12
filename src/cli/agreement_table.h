// Who agrees with whom (FSP Table 5).
#pragma once

#include <set>
#include <vector>

#include "cli/run_figures.h"
#include "query/agreement_report.h"

namespace residue::cli {

// Correlations, kappas and the counts of the confusion matrix: `confusion_13` is how often the second rated 3 what the
// first rated 1; for people one column. `published` receives the rows of the papers that stand below ours (in JSON
// beside them) where `reference` is asked for.
Shown agreement_table(const std::vector<query::AgreementLine>& lines, Form form, bool json, bool reference,
                      std::set<const query::PublishedRow*>& published);

}  // namespace residue::cli
