// What the tables of a report are made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/table.h"
#include "query/report.h"

namespace residue::cli {

// Null: the run was not evaluated so.
const query::ReportMetric* metric_of(const query::ReportRun& run, query::MetricId id);
std::optional<double> value_of(const query::ReportRun& run, query::MetricId id);

// What a pooled rate is a share of: a count, or a sum of weights. Empty for other metrics.
Cell units_cell(const query::MetricValue& value);

// The metric's name and an arrow to where privacy is.
std::string label(query::MetricId id);

// How many records are in each tenth; empty where the metric is no histogram.
std::vector<std::int64_t> bin_counts(const query::ReportMetric& metric);

// The metrics of answers to tasks that any of the runs has.
std::vector<query::MetricId> task_metrics(const std::vector<query::ReportRun>& runs);

// Tables say in columns of their own if they are of a sample, or leave failed and missing records out.
Table with_sample(Table table, const query::Report& report, bool sampled);

}  // namespace residue::cli
