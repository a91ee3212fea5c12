// Two runs by a number of all their records together: nothing of it is paired.
#pragma once

#include <string_view>
#include <vector>

#include "query/compare/compare.h"

namespace residue::query {

// Evaluations of both runs that have the metric, by seed.
struct EvaluatedPair {
  const std::vector<EvaluationId>& baseline;
  const std::vector<EvaluationId>& run;
};

// Means over the seeds that have a value; no interval, no test. `part`: of the metric; empty: the whole.
MetricDelta value_delta(storage::Db& db, const EvaluatedPair& runs, MetricId metric, std::string_view part,
                        MissingPolicy missing);

}  // namespace residue::query
