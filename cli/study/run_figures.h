// Tables whose columns are metrics: every value with what it is of.
//
//   runs of reports x columns ── figure_rows ──> values ── figure_table ──> a table for people or for files
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cli/print/table.h"
#include "cli/report/report_tables.h"
#include "query/report/report.h"
#include "query/study/published.h"

namespace residue::cli {

struct FigureColumn {
  std::string metric;  // an id of docs/metrics.md, the column's name in files; one that nothing computes stays empty
  std::string title = {};  // for people; empty: the id with an arrow to privacy
  bool optional = false;   // people see it only where some run has it
};

struct FigureRow {
  const query::Report* report = nullptr;
  const query::ReportRun* run = nullptr;
  std::string part = {};                                  // all values are of this part of their metric; empty: whole
  std::vector<Cell> keys;                                 // beside the run's name
  std::vector<std::optional<query::MetricValue>> values;  // by column; nothing: not computed
  bool stale = false;                                     // some value of the run is older than what it is of
};

struct FigureKey {
  std::string name;
  Type type = Type::kText;
};

struct FigureTable {
  std::vector<FigureKey> keys;
  std::vector<FigureColumn> columns;
  std::vector<FigureRow> rows;
  std::string published;  // the table of ours whose published figures go with these; empty: none are wanted
};

// A table with what a JSON reader gets beside each row.
struct Shown {
  Table table;
  std::vector<Json> references;  // by row; empty: none were asked for
};

// What the run has of this metric, or of its part. Nothing where it was not computed.
std::optional<query::MetricValue> figure_of(const query::ReportRun& run, std::string_view metric,
                                            std::string_view part);

// For people: the values, their deviations where there are any, and n, failed and missing behind the columns that they
// are of (behind all, where all are of the same records); "-" was not computed, "n/a" applies to no record. Files have
// for every metric its value, and behind all of these the interval, deviation and counts of each. Published figures
// are rows below their run's; in JSON they are `references`.
Shown figure_table(const FigureTable& figures, Form form, bool json);

// The command that computes a metric which no run has; behind a final blank the metric's name belongs.
std::string remedy(const std::string& metric, const std::string& dataset);

// What nobody computed of the columns, with what to do about it; and why something is not applicable.
std::vector<std::string> figure_notes(const FigureTable& figures, const std::string& dataset);

}  // namespace residue::cli
