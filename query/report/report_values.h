// Single values of a report's runs.
#pragma once

#include <optional>
#include <vector>

#include "query/report/report.h"

namespace residue::query {

// Null: the run was not evaluated so. Lives as long as `run`.
const ReportMetric* metric_of(const ReportRun& run, MetricId id);
std::optional<double> value_of(const ReportRun& run, MetricId id);

// Whether the run's metric is older than what it is of.
bool is_stale(const ReportRun& run, MetricId id);

// How many records are in each tenth; empty where the metric is no histogram.
std::vector<double> bin_counts(const ReportMetric& metric);

// The metrics of answers to tasks that any of the runs has.
std::vector<MetricId> task_metrics(const std::vector<ReportRun>& runs);

}  // namespace residue::query
