// Tables whose columns are metrics: every value with what it is of.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/print/table.h"
#include "cli/report/report_tables.h"
#include "verbs/tables/run_figures.h"

namespace residue::cli {

// A table with what a JSON reader gets beside each row.
struct Shown {
  Table table;
  std::vector<Json> references;  // by row; empty: none were asked for
};

// For people: the values, their deviations where there are any, and n, failed and missing behind the columns that they
// are of (behind all, where all are of the same records); "-" was not computed, "n/a" applies to no record. Files have
// for every metric its value, and behind all of these the interval, deviation and counts of each. Published figures
// are rows below their run's; in JSON they are `references`.
Shown figure_table(const verbs::FigureTable& figures, Form form, bool json);

// The command that computes a metric which no run has; behind a final blank the metric's name belongs.
std::string remedy(const std::string& metric, const std::string& dataset);

// What nobody computed of the columns, with what to do about it; and why something is not applicable.
std::vector<std::string> figure_notes(const verbs::FigureTable& figures, const std::string& dataset);

}  // namespace residue::cli
