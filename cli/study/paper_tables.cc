#include "cli/study/paper_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "cli/report/report_cells.h"
#include "cli/study/part_table.h"
#include "cli/study/references.h"
#include "verbs/tables/references.h"
#include "verbs/tables/run_figures.h"

namespace residue::cli {
namespace {

using query::MetricId;
using query::MetricValue;
using query::Report;
using query::ReportMetric;
using query::ReportRun;

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
    const auto counts = metric == nullptr ? std::vector<double>() : bin_counts(*metric);
    for (std::size_t bin = 0; bin < 10; ++bin) {
      row.push_back(bin < counts.size() ? count_cell(counts[bin]) : Cell());
    }
    for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing}) {
      row.push_back(metric == nullptr ? Cell() : count_cell(metric->all.*count));
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
    if (stale) table.rows[i].push_back(std::int64_t{is_stale(report.runs[i], MetricId::kDistanceHistogram)});
  }
}

Table distributions(const std::vector<Report>& reports, Form form) {
  const auto any = [&](const auto& of) { return std::any_of(reports.begin(), reports.end(), of); };
  const bool sampled = any([](const Report& report) { return report.sample != 0; });
  const bool stale = form == Form::kFile || any([](const Report& report) {
                       return std::any_of(report.runs.begin(), report.runs.end(), [](const ReportRun& run) {
                         return is_stale(run, MetricId::kDistanceHistogram);
                       });
                     });
  Table all;
  for (const Report& report : reports) {
    Table one = with_sample(distribution(report), report, sampled);
    add_context(one, report, form, stale);
    all.columns = std::move(one.columns);
    for (auto& row : one.rows) all.rows.push_back(std::move(row));
  }
  return all;
}

PaperTable categories(const std::vector<Report>& reports, Form form) {
  PaperTable result;
  if (form == Form::kFile) {
    Table all;
    for (const Report& report : reports) {
      Table one = long_categories(report);
      all.columns = std::move(one.columns);
      for (auto& row : one.rows) all.rows.push_back(std::move(row));
    }
    result.sections.push_back({"", {std::move(all), {}}});
    return result;
  }
  for (const Report& report : reports) {
    const verbs::PartQuestion question{.metric = MetricId::kLeakByCategory, .part = "category", .units = "claims"};
    result.sections.push_back({fmt::format("shares of claims that leaked; categories by {}", report.categorizer),
                               {part_table(report, verbs::part_figures(report, question)), {}}});
  }
  return result;
}

void add_reference_notes(const std::set<const query::PublishedRow*>& rows, const TableRequest& request,
                         PaperTable& result) {
  const auto published = query::published_rows();
  const bool any =
      std::any_of(published.begin(), published.end(), [&](const auto& row) { return row.table == request.name; });
  if (!any) {
    result.notes.push_back(fmt::format("--reference: the papers print no figures for the table {}; they do for {}",
                                       request.name, tables_with_figures()));
  } else if (rows.empty()) {
    result.notes.emplace_back(
        "--reference: no run is named as a row of the papers' tables; --param reference=NAME of residue ingest run "
        "says which one it is (docs/tables.md)");
  }
  for (std::string& note : reference_notes(rows)) result.notes.push_back(std::move(note));
}

}  // namespace

PaperTable paper_table(const std::vector<Report>& reports, const TableRequest& request) {
  PaperTable result;
  std::set<const query::PublishedRow*> published;
  if (request.name == "distribution") {
    result.sections.push_back({"", {distributions(reports, request.form), {}}});
  } else if (request.name == "categories") {
    result = categories(reports, request.form);
  } else {
    const verbs::FigureRequest wanted{request.name, request.form == Form::kFile, request.reference};
    std::vector<const Report*> them;
    for (const Report& report : reports) them.push_back(&report);
    const verbs::FigureTable figures = verbs::run_figures(them, wanted);
    result.sections.push_back({"", figure_table(figures, request.form, request.json)});
    result.notes = figure_notes(figures, reports.front().dataset);
    for (const Report& report : reports) {
      for (const ReportRun& run : report.runs) {
        if (!request.reference) break;
        for (const auto* row : verbs::references_of(request.name, report, run)) published.insert(row);
      }
      if (request.form == Form::kFile) continue;
      for (const verbs::PartFigures& section : verbs::part_sections(report, wanted)) {
        result.sections.push_back({section.of.title, {part_table(report, section), {}}});
      }
    }
  }
  if (request.reference) add_reference_notes(published, request, result);
  return result;
}

}  // namespace residue::cli
