// Two runs by a number of all their records together: nothing of it is paired.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "query/compare/compare.h"

namespace residue::query {

// What one run has of such a number.
struct WholeValue {
  std::optional<double> value;
  std::uint64_t records = 0;
  Lost lost;
};

// Without interval and test. `part`: of the metric; empty: the whole.
MetricDelta delta_of(MetricId metric, std::string_view part, const WholeValue& baseline, const WholeValue& run);

// Evaluations of both runs that have the metric, by seed.
struct EvaluatedPair {
  const std::vector<EvaluationId>& baseline;
  const std::vector<EvaluationId>& run;
};

// Means over the seeds that have a value; no interval, no test. `part`: of the metric; empty: the whole.
MetricDelta value_delta(storage::Db& db, const EvaluatedPair& runs, MetricId metric, std::string_view part,
                        MissingPolicy missing);

}  // namespace residue::query
