// Several seeds of one attacker as one report: means and standard deviations, as the papers print them.
#pragma once

#include <optional>
#include <vector>

#include "numbers/stats/bootstrap.h"
#include "query/report/report.h"

namespace residue::query {

// The mean of the seeds' numbers that are there, to the last digit where they are equal; nothing where none is there.
std::optional<double> mean_over_seeds(const std::vector<std::optional<double>>& seeds);

// The interval of that mean. What the attacker happens to know is chance too: the interval over records, which is the
// mean one of the seeds, and the seeds' own scatter around their mean are independent errors. The
// latter is Student's. Seeds without a value are left out; of one seed it is that seed's. Nothing where an interval
// lacks.
struct SeedValue {
  std::optional<double> value, low, high;
};
std::optional<numbers::Interval> interval_over_seeds(const std::vector<SeedValue>& seeds, double least,
                                                     double greatest);

// `seeds`: the same runs in the same order, at least one list; they are used up. A run counts as evaluated where all
// seeds were; a metric that needs an evaluation of its own under each seed is left out unless all have it.
// Counts (n, failed, missing, not applicable, units, hits, histogram bins) are means over all seeds, of which one that
// lacks the part counts no record. Values, interval ends and bounds are means over the seeds that have them, and
// `deviation` is theirs and divides by n - 1.
std::vector<ReportRun> combine_seeds(std::vector<std::vector<ReportRun>>& seeds);

}  // namespace residue::query
