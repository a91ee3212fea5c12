#include "query/metric/definitions.h"

#include <cmath>
#include <cstdint>
#include <optional>

#include "query/metric/contribution.h"
#include "query/metric/metrics.h"
#include "storage/catalog/results/metric_definition.h"

namespace residue::query {
namespace {

std::optional<double> bound(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

double unit_of(const MetricDefinition& metric) {
  return metric.kind == Kind::kMean ? 1.0 / static_cast<double>(kOne) : 1.0;
}

// Whether the store has these definitions, and no others.
bool published(storage::Db& db) {
  storage::Statement count = db.prepare(storage::sql::kMetricDefinitionCount);
  if (!count.step() || count.integer(0) != static_cast<std::int64_t>(metric_definitions().size())) return false;
  storage::Statement same = db.prepare(storage::sql::kMetricDefinitionExists);
  for (const MetricDefinition& metric : metric_definitions()) {
    same.bind(static_cast<std::int64_t>(metric.id), metric.name, metric.direction, bound(metric.low),
              bound(metric.high), metric.source, unit_of(metric), optional_for_records(metric) ? 1 : 0);
    if (!same.step()) return false;
    same.reset();
  }
  return true;
}

}  // namespace

void publish_definitions(storage::Store& store) {
  if (published(store.db())) return;
  const auto batch = store.write();
  batch->db().run(storage::sql::kDeleteMetricDefinitions);
  storage::Statement put = batch->db().prepare(storage::sql::kInsertMetricDefinition);
  for (const MetricDefinition& metric : metric_definitions()) {
    put.run(static_cast<std::int64_t>(metric.id), metric.name, metric.direction, bound(metric.low), bound(metric.high),
            metric.source, unit_of(metric), optional_for_records(metric) ? 1 : 0);
  }
  batch->commit();
}

}  // namespace residue::query
