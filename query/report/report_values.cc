#include "query/report/report_values.h"

#include <algorithm>

namespace residue::query {

const ReportMetric* metric_of(const ReportRun& run, MetricId id) {
  const auto found = run.metrics.find(id);
  return found == run.metrics.end() ? nullptr : &found->second;
}

std::optional<double> value_of(const ReportRun& run, MetricId id) {
  const ReportMetric* metric = metric_of(run, id);
  return metric == nullptr ? std::nullopt : metric->all.value;
}

bool is_stale(const ReportRun& run, MetricId id) {
  const ReportMetric* metric = metric_of(run, id);
  return metric != nullptr && metric->stale;
}

std::vector<double> bin_counts(const ReportMetric& metric) {
  std::vector<double> counts;
  for (const MetricValue& bin : metric.bins) counts.push_back(bin.value.value_or(0));
  return counts;
}

std::vector<MetricId> task_metrics(const std::vector<ReportRun>& runs) {
  std::vector<MetricId> all;
  for (const MetricDefinition& metric : metric_definitions()) {
    if (metric.tier != Tier::kTask) continue;
    const auto has = [&](const ReportRun& run) { return metric_of(run, metric.id) != nullptr; };
    if (std::any_of(runs.begin(), runs.end(), has)) all.push_back(metric.id);
  }
  return all;
}

}  // namespace residue::query
