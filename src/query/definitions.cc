#include "query/definitions.h"

#include "query/contribution.h"
#include "query/metrics.h"

namespace residue::query {

void publish_definitions(storage::Store& store) {
  storage::Statement count = store.db().prepare("SELECT count(*) FROM metric_definition");
  if (count.step() && count.integer(0) == static_cast<std::int64_t>(metric_definitions().size())) return;
  count.reset();
  const auto batch = store.write();
  batch->db().run("DELETE FROM metric_definition");
  storage::Statement put = batch->db().prepare("INSERT INTO metric_definition VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
  for (const MetricDefinition& metric : metric_definitions()) {
    put.run(static_cast<std::int64_t>(metric.id), metric.name, metric.direction, metric.low, metric.high, metric.source,
            metric.kind == Kind::kMean ? 1.0 / static_cast<double>(kOne) : 1.0);
  }
  batch->commit();
}

}  // namespace residue::query
