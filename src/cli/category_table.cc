#include <set>

#include "cli/report_cells.h"
#include "cli/report_tables.h"

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
Cell leaked(const MetricValue& value) {
  if (!value.value || !value.units) return {};
  return static_cast<std::int64_t>(*value.value * static_cast<double>(*value.units) + 0.5);
}

Table long_categories(const Report& report) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}, {"category", Type::kText, "", true},
                   {"leak_rate", Type::kReal, ""}, {"low", Type::kReal, ""},
                   {"high", Type::kReal, ""},      {"leaked", Type::kInteger, "claims leaked"},
                   {"claims", Type::kInteger, ""}};
  for (const char* name : {"n", "failed", "missing"}) table.columns.push_back({name, Type::kInteger, ""});
  for (const char* name : {"categorizer", "protocol", "judge"}) table.columns.push_back({name, Type::kText, ""});
  table.columns.push_back({"stale", Type::kInteger, ""});
  for (const ReportRun& run : report.runs) {
    for (const auto& [category, value] : parts_of(run)) {
      table.rows.push_back({Cell(run.run), Cell(category), cell(value.value), cell(value.low), cell(value.high),
                            leaked(value), cell(value.units), Cell(value.n), Cell(value.failed), Cell(value.missing),
                            Cell(report.categorizer), Cell(report.protocol), Cell(report.judge),
                            Cell(std::int64_t{run.stale})});
    }
  }
  return with_sample(std::move(table), report, report.sample != 0);
}

}  // namespace

Table category_table(const Report& report, Form form) {
  if (form == Form::kFile) return long_categories(report);
  Table table;
  table.columns = {{"category", Type::kText, "", true}, {"claims", Type::kInteger, ""}};
  std::set<std::string> names;
  std::vector<const ReportRun*> runs;
  for (const ReportRun& run : report.runs) {
    if (!run.evaluated) continue;
    runs.push_back(&run);
    table.columns.push_back({run.run, Type::kReal, run.run + (run.stale ? " *" : "")});
    for (const auto& [category, value] : parts_of(run)) names.insert(category);
  }
  for (const std::string& name : names) {
    std::vector<Cell> row{Cell(name), Cell()};
    for (const ReportRun* run : runs) {
      const auto found = parts_of(*run).find(name);
      row.push_back(found == parts_of(*run).end() ? Cell() : cell(found->second.value));
      // The same for all runs unless lost records are left out: then the most.
      if (found == parts_of(*run).end() || !found->second.units) continue;
      if (const auto* most = std::get_if<std::int64_t>(&row[1]); most != nullptr && *most >= *found->second.units)
        continue;
      row[1] = cell(found->second.units);
    }
    table.rows.push_back(std::move(row));
  }
  return with_sample(std::move(table), report, report.sample != 0);
}

}  // namespace residue::cli
