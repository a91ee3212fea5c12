// The resampling units behind a stored metric.
#pragma once

#include <string>

#include "base/ids.h"
#include "query/metric/aggregate.h"
#include "storage/catalog/sqlite.h"

namespace residue::query {

// Those of one metric of an evaluation, the whole or the part named `cut`, read from its scores when they are asked for
// the first time. `db` must live longer. Cost: one pass over the metric's scores.
ClusterSource score_clusters(storage::Db& db, EvaluationId evaluation, MetricId metric, std::string cut);

}  // namespace residue::query
