#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "cli/report/report_cells.h"
#include "cli/report/report_tables.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Report;
using query::ReportRun;

const std::map<std::string, MetricValue>& parts_of(const ReportRun& run) {
  static const std::map<std::string, MetricValue> kNone;
  const query::ReportMetric* metric = metric_of(run, MetricId::kLeakByCategory);
  return metric == nullptr ? kNone : metric->cuts;
}

// How many of the claims leaked: failed and missing records' among them unless they are left out.
Cell leaked(const MetricValue& value) { return value.hits ? count_cell(*value.hits) : Cell(); }

}  // namespace

Table long_categories(const Report& report) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}, {"category", Type::kText, "", true},
                   {"leak_rate", Type::kReal, ""}, {"low", Type::kReal, ""},
                   {"high", Type::kReal, ""},      {"leaked", Type::kInteger, "claims leaked"},
                   {"claims", Type::kInteger, ""}};
  for (const char* name : {"n", "failed", "missing", "seeds"}) table.columns.push_back({name, Type::kInteger, ""});
  for (const char* name : {"categorizer", "protocol", "judge"}) table.columns.push_back({name, Type::kText, ""});
  table.columns.push_back({"stale", Type::kInteger, ""});
  for (const ReportRun& run : report.runs) {
    for (const auto& [category, value] : parts_of(run)) {
      table.rows.push_back({Cell(run.run), Cell(category), cell(value.value), cell(value.low), cell(value.high),
                            leaked(value), units_cell(value), count_cell(value.n), count_cell(value.failed),
                            count_cell(value.missing), value.seeds ? cell(*value.seeds) : cell(report.seeds),
                            Cell(report.categorizer), Cell(report.protocol), Cell(report.judge),
                            Cell(std::int64_t{is_stale(run, MetricId::kLeakByCategory)})});
    }
  }
  return with_sample(std::move(table), report, report.sample != 0);
}

}  // namespace residue::cli
