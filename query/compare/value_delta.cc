#include "query/compare/value_delta.h"

#include <cstdint>
#include <optional>
#include <string>

#include "query/metric/metric_values.h"
#include "query/report/report_seeds.h"
#include "storage/catalog/results/metric.h"

namespace residue::query {
namespace {

WholeValue side_of(storage::Db& db, const std::vector<EvaluationId>& seeds, MetricId metric, std::string_view part,
                   MissingPolicy missing) {
  storage::Statement find = db.prepare(storage::sql::kMetricValuesAndCounts);
  const int column = missing == MissingPolicy::kDrop ? 1 : 0;
  std::vector<std::optional<double>> values;
  WholeValue side;
  for (const EvaluationId seed : seeds) {
    if (!find.bind(seed, static_cast<std::int64_t>(metric), part).step()) continue;
    values.push_back(find.is_null(column) ? std::nullopt : std::optional(find.real(column)));
    side.records = static_cast<std::uint64_t>(find.integer(2));
    if (missing != MissingPolicy::kDrop) {
      side.lost = {static_cast<std::uint64_t>(find.integer(3)), static_cast<std::uint64_t>(find.integer(4))};
      side.records += side.lost.failed + side.lost.missing;
    }
    find.reset();
  }
  for (const auto& value : values) {
    if (value) side.value = mean_over_seeds(values);
  }
  return side;
}

}  // namespace

MetricDelta delta_of(MetricId metric, std::string_view part, const WholeValue& baseline, const WholeValue& run) {
  MetricDelta delta;
  delta.metric = metric;
  delta.cut = std::string(part);
  delta.whole = true;
  delta.records = run.records;
  delta.lost_baseline = baseline.lost;
  delta.lost = run.lost;
  delta.delta.a = baseline.value;
  delta.delta.b = run.value;
  if (baseline.value && run.value) delta.delta.difference = told_difference(*run.value - *baseline.value);
  return delta;
}

MetricDelta value_delta(storage::Db& db, const EvaluatedPair& runs, MetricId metric, std::string_view part,
                        MissingPolicy missing) {
  return delta_of(metric, part, side_of(db, runs.baseline, metric, part, missing),
                  side_of(db, runs.run, metric, part, missing));
}

}  // namespace residue::query
