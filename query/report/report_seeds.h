// Several seeds of one attacker as one report: means and standard deviations, as the papers print them.
#pragma once

#include <optional>
#include <vector>

#include "query/report/report.h"

namespace residue::query {

// The mean of the seeds' numbers that are there, to the last digit where they are equal; nothing where none is there.
std::optional<double> mean_over_seeds(const std::vector<std::optional<double>>& seeds);

// `seeds`: the same runs in the same order, at least one list; they are used up. A run counts as evaluated where all
// seeds were; a metric that needs an evaluation of its own under each seed is left out unless all have it.
// Counts (n, failed, missing, not applicable, units, hits, histogram bins) are means over all seeds, of which one that
// lacks the part counts no record. Values, interval ends and bounds are means over the seeds that have them, and
// `deviation` is theirs and divides by n - 1.
std::vector<ReportRun> combine_seeds(std::vector<std::vector<ReportRun>>& seeds);

}  // namespace residue::query
