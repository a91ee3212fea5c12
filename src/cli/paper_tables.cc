// The papers' tables with a row per run (METRICS section 8).
#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/report_cells.h"
#include "cli/report_tables.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Report;
using query::ReportMetric;
using query::ReportRun;

// Task utility and coherence, with the titles that fit beside the rest.
constexpr std::pair<MetricId, const char*> kUtilities[] = {{MetricId::kTaskAccuracy, "accuracy"},
                                                           {MetricId::kCategoryPreservation, "categories"},
                                                           {MetricId::kUtilityCombined, "utility"},
                                                           {MetricId::kCoherence, "coherence"}};

// Those of them that any report has.
std::vector<MetricId> utilities_in(const std::vector<Report>& reports) {
  std::vector<MetricId> all;
  for (const auto& [id, title] : kUtilities) {
    for (const Report& report : reports) {
      const auto there = task_metrics(report.runs);
      if (std::find(there.begin(), there.end(), id) == there.end()) continue;
      all.push_back(id);
      break;
    }
  }
  return all;
}

// FSP Tables 1 and 2.
Table privacy_utility(const Report& report, bool seeds, const std::vector<MetricId>& utilities) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}};
  for (const MetricId id : {MetricId::kLexicalDistanceLinked, MetricId::kSemanticDistance}) {
    const std::string name(query::definition(id).name);
    table.columns.push_back({name, Type::kReal, label(id)});
    if (seeds) table.columns.push_back({name + "_std", Type::kReal, "±"});
  }
  for (const auto& [id, title] : kUtilities) {
    if (std::find(utilities.begin(), utilities.end(), id) == utilities.end()) continue;
    table.columns.push_back({std::string(query::definition(id).name), Type::kReal, title});
  }
  for (const char* count : {"n", "failed", "missing"}) table.columns.push_back({count, Type::kInteger, ""});
  for (const ReportRun& run : report.runs) {
    std::vector<Cell> row{Cell(run.run)};
    for (const MetricId id : {MetricId::kLexicalDistanceLinked, MetricId::kSemanticDistance}) {
      row.push_back(cell(value_of(run, id)));
      const ReportMetric* metric = metric_of(run, id);
      if (seeds) row.push_back(metric == nullptr ? Cell() : cell(metric->all.deviation));
    }
    for (const MetricId id : utilities) row.push_back(cell(value_of(run, id)));
    const ReportMetric* judged = metric_of(run, MetricId::kSemanticDistance);
    for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing}) {
      row.push_back(judged == nullptr ? Cell() : Cell(judged->all.*count));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Whose numbers they are; the rows are the report's runs.
void add_context(Table& table, const Report& report, Form form, bool stale) {
  if (form != Form::kTerminal) {
    for (const char* name : {"protocol", "judge"}) table.columns.push_back({name, Type::kText, ""});
  }
  if (stale) table.columns.push_back({"stale", Type::kInteger, ""});
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (form != Form::kTerminal) table.rows[i].insert(table.rows[i].end(), {report.protocol, report.judge});
    if (stale) table.rows[i].push_back(std::int64_t{report.runs[i].stale});
  }
}

// FSP Figure 5.
Table distribution(const Report& report) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}};
  for (int bin = 0; bin < 10; ++bin) {
    table.columns.push_back({fmt::format("from_0_{}", bin), Type::kInteger, fmt::format("{}.{}-", bin / 10, bin % 10)});
  }
  for (const char* count : {"n", "failed", "missing"}) table.columns.push_back({count, Type::kInteger, ""});
  for (const ReportRun& run : report.runs) {
    std::vector<Cell> row{Cell(run.run)};
    const ReportMetric* metric = metric_of(run, MetricId::kDistanceHistogram);
    for (std::size_t bin = 0; bin < 10; ++bin) {
      row.push_back(metric == nullptr || metric->bins.empty() ? Cell() : Cell(metric->bins[bin]));
    }
    for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing}) {
      row.push_back(metric == nullptr ? Cell() : Cell(metric->all.*count));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

Table named_table(const std::vector<Report>& reports, std::string_view name, Form form) {
  if (name == "metrics-long") return long_table(reports);
  if (name != "privacy-utility" && name != "distribution" && name != "categories") {
    throw Error(
        Code::kUsage,
        fmt::format("no table \"{}\"{}", name,
                    did_you_mean(name, {"privacy-utility", "distribution", "categories", "linkage", "linkers",
                                        "aux-size", "paraphrased-aux", "metrics-long"})),
        "tables: privacy-utility, distribution, categories, linkage, linkers, aux-size, paraphrased-aux, metrics-long");
  }
  const auto any = [&](const auto& of) { return std::any_of(reports.begin(), reports.end(), of); };
  const bool seeds = any([](const Report& report) { return report.seeds > 1; });
  const bool sampled = any([](const Report& report) { return report.sample != 0; });
  const bool stale =
      form == Form::kFile || any([](const Report& report) {
        return std::any_of(report.runs.begin(), report.runs.end(), [](const ReportRun& run) { return run.stale; });
      });
  std::vector<MetricId> utilities = utilities_in(reports);
  if (form == Form::kFile) {
    utilities.clear();
    for (const auto& [id, title] : kUtilities) utilities.push_back(id);
  }
  Table all;
  for (const Report& report : reports) {
    if (name == "categories") {
      Table one = category_table(report, form);
      all.columns = std::move(one.columns);
      for (auto& row : one.rows) all.rows.push_back(std::move(row));
      continue;
    }
    Table one = name == "distribution" ? distribution(report) : privacy_utility(report, seeds, utilities);
    one = with_sample(std::move(one), report, sampled);
    add_context(one, report, form, stale);
    all.columns = std::move(one.columns);
    for (auto& row : one.rows) all.rows.push_back(std::move(row));
  }
  return all;
}

}  // namespace residue::cli
