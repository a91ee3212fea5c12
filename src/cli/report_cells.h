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

// The metric's name and an arrow to where privacy is.
std::string label(query::MetricId id);

// The metrics of answers to tasks that any of the runs has.
std::vector<query::MetricId> task_metrics(const std::vector<query::ReportRun>& runs);

// Tables say in columns of their own if they are of a sample, or leave failed and missing records out.
Table with_sample(Table table, const query::Report& report, bool sampled);

}  // namespace residue::cli
