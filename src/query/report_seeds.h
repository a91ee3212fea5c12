// Several seeds of one attacker as one report: means and standard deviations, as the papers print them.
#pragma once

#include <vector>

#include "query/report.h"

namespace residue::query {

// `seeds`: the same runs in the same order, at least one list; they are used up. A run counts as evaluated where all
// seeds were. Values and interval ends are means, `deviation` divides by n - 1, counts are those of the first seed.
std::vector<ReportRun> combine_seeds(std::vector<std::vector<ReportRun>>& seeds);

}  // namespace residue::query
