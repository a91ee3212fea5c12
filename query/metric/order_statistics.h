// Numbers that no sums can say: the worst records, and how many there are in each tenth. They are made again from all
// contributions whenever one of them changed.
#pragma once

#include <cstdint>
#include <vector>

#include "query/metric/aggregate.h"
#include "query/metric/contribution.h"

namespace residue::query {

struct Weighted {
  Contribution contribution;
  std::uint64_t unit = 0;
};

// The range of a metric's values, worst first, and what 1 is, all in units of its contributions.
struct Ends {
  std::int64_t least = 0, greatest = kOne, one = kOne;
};

// Mean of the worst 1 / `parts` of the records, the last one in part: of 71 records the worst tenth
// weighs 7.1. Failed and missing ones are at the worst value. `distances`: contributions of a mean where low is
// worse; `records`: of the same metric. The interval is the bootstrap's with a phantom
// (numbers/stats/bootstrap.h), which is sorted among the records. Cost: sorting, and the weights of about the worst
// share.
MetricRow worst_share(MetricId metric, std::int64_t parts, const std::vector<Weighted>& distances,
                      const RecordWeights& records, const Ends& ends = {});

// The middle one of the records, of an even number the mean of the middle two; else as above. Cost: sorting, and the
// weights of all.
MetricRow median(MetricId metric, const std::vector<Weighted>& values, const RecordWeights& records, const Ends& ends);

// The greatest of the records; failed and missing ones are at the greatest value there is. `values`: contributions of a
// kMean metric in [0, 1] where high is worse. The interval is that of the bootstrap with a phantom, whose replicates
// all have every record in: from the value to 1.
MetricRow greatest(MetricId metric, const std::vector<Weighted>& values);

// "" with the counts of all states, then ten counts, "bin:0" ... "bin:9"; num = bin. `value` counts failed and missing
// records in the bin where they would be if everything leaked, `drop_value` and n do not.
std::vector<MetricRow> histogram(MetricId metric, const std::vector<Contribution>& bins);

}  // namespace residue::query
