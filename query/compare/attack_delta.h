// Two runs by a number of all attacked records together: nothing of it is paired.
#pragma once

#include <string_view>
#include <vector>

#include "query/compare/compare.h"

namespace residue::query {

// Evaluations of tier link of both runs, by seed, the baseline's first.
struct AttackPair {
  const std::vector<EvaluationId>& baseline;
  const std::vector<EvaluationId>& run;
};

// Means over the seeds that have a value; no interval, no test. `part`: of the metric; empty: the whole.
MetricDelta attack_delta(storage::Db& db, const AttackPair& runs, MetricId metric, std::string_view part,
                         MissingPolicy missing);

}  // namespace residue::query
