// The named parts of one metric for people: a row per part, a column per run.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/print/table.h"
#include "query/report/report.h"
#include "query/study/published.h"

namespace residue::cli {

struct PartTable {
  query::MetricId metric{};
  std::string prefix = {};  // parts that begin with it, shown without; empty: those without any of `others`
  std::vector<std::string> others = {};
  std::string title;  // of the column of parts: "category"
  std::string units;  // what the values are shares of: "claims"
  bool (*before)(const query::ReportRun&, const query::ReportRun&) = nullptr;  // nothing: as the report has them
  std::string published = {};  // the table of ours whose published figures stand beside; empty: none are wanted
};

// Values of each evaluated run. What they are shares of stands once where all runs have the same, else behind each run;
// so do failed and missing records, then behind the runs that have any. No rows: no run has such parts. `shown`, where
// it is given, receives the published rows.
Table part_table(const query::Report& report, const PartTable& wanted, std::set<const query::PublishedRow*>* shown);

}  // namespace residue::cli
