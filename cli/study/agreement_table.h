// Who agrees with whom (FSP Table 5).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/study/run_figures.h"
#include "verbs/tables/agreement.h"

namespace residue::cli {

// Correlations, kappas and the counts of the confusion matrix: `confusion_13` is how often the second rated 3 what the
// first rated 1; for people one column. `published` receives the rows of the papers that stand below ours (in JSON
// beside them) where `reference` is asked for.
// What does not exist because a side always says the same is "n/a" for people, and named in files' last column.
Shown agreement_table(const std::vector<verbs::AgreementFigures>& lines, Form form, bool json, bool reference,
                      std::set<const query::PublishedRow*>& published);

// For people, below the table: why numbers do not exist. Empty: all do.
std::vector<std::string> agreement_notes(const std::vector<verbs::AgreementFigures>& lines);

}  // namespace residue::cli
