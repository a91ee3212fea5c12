// What the tables of a report are made of.
#pragma once

#include <string>
#include <vector>

#include "cli/print/table.h"
#include "query/report/report.h"
#include "query/report/report_values.h"

namespace residue::cli {

// What a pooled rate is a share of: a count, or a sum of weights. Empty for other metrics.
Cell units_cell(const query::MetricValue& value);

// A count of records, or of several seeds their mean: whole where it is whole.
Cell count_cell(double count);
std::string count_text(double count);  // never "0" for anything else

// Behind a value that is the mean of some of the seeds: " (2 of 8 seeds)"; empty for all of them.
std::string seeds_text(const query::MetricValue& value, const query::Report& report);

// The metric's name and an arrow to where privacy is.
std::string label(query::MetricId id);

// Who answered the tasks that these metrics of the run are of.
Cell answerers_cell(const query::ReportRun& run, const std::vector<query::MetricId>& metrics);

// Tables say in columns of their own if they are of a sample, or leave failed and missing records out.
Table with_sample(Table table, const query::Report& report, bool sampled);

}  // namespace residue::cli
