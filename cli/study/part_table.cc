#include "cli/study/part_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cli/print/numbers.h"
#include "cli/report/report_cells.h"
#include "cli/study/references.h"

namespace residue::cli {
namespace {

using query::MetricValue;
using query::PublishedRow;
using query::Report;
using query::ReportRun;

// What is shown as part of the table; nothing: it belongs to another one.
std::optional<std::string> shown_name(const PartTable& wanted, const std::string& part) {
  if (!wanted.prefix.empty()) {
    if (!part.starts_with(wanted.prefix)) return std::nullopt;
    return part.substr(wanted.prefix.size());
  }
  const bool other = std::any_of(wanted.others.begin(), wanted.others.end(),
                                 [&](const std::string& prefix) { return part.starts_with(prefix); });
  return other ? std::nullopt : std::optional(part);
}

using Parts = std::map<std::string, const MetricValue*>;  // by shown name

Parts parts_of(const ReportRun& run, const PartTable& wanted) {
  Parts parts;
  const query::ReportMetric* metric = metric_of(run, wanted.metric);
  if (metric == nullptr) return parts;
  for (const auto& [part, value] : metric->cuts) {
    if (auto name = shown_name(wanted, part)) parts[*std::move(name)] = &value;
  }
  return parts;
}

Cell units_of(const MetricValue& value) { return value.units ? units_cell(value) : count_cell(value.n); }
bool has_lost(const MetricValue& value) { return value.failed + value.missing > 0; }

struct RunColumn {
  const ReportRun* run;
  Parts parts;
  std::vector<const PublishedRow*> published;
};

// What stands once, where it is the same of all runs in every row, and what behind a run.
struct Counts {
  bool units = true, lost = true;  // once
};

Counts common_counts(const std::vector<RunColumn>& columns, const std::set<std::string>& names) {
  Counts common;
  for (const std::string& name : names) {
    const MetricValue* first = nullptr;
    for (const RunColumn& column : columns) {
      const auto found = column.parts.find(name);
      if (found == column.parts.end()) continue;
      if (first == nullptr) first = found->second;
      const MetricValue& value = *found->second;
      common.units = common.units && units_of(value) == units_of(*first);
      common.lost = common.lost && value.failed == first->failed && value.missing == first->missing;
    }
  }
  return common;
}

bool any_lost(const RunColumn& column) {
  return std::any_of(column.parts.begin(), column.parts.end(), [](const auto& part) { return has_lost(*part.second); });
}

std::string key_of(const PartTable& wanted, const std::string& name) {
  return fmt::format("{}/{}{}", query::definition(wanted.metric).name, wanted.prefix, name);
}

void add_count_columns(Table& table, const std::string& of, const std::string& units, bool lost) {
  if (!units.empty()) table.columns.push_back({of + units, Type::kInteger, ""});
  if (!lost) return;
  for (const char* what : {"failed", "missing"}) table.columns.push_back({of + what, Type::kInteger, ""});
}

void add_counts(std::vector<Cell>& row, const MetricValue* value, bool units, bool lost) {
  if (units) row.push_back(value == nullptr ? Cell() : units_of(*value));
  if (!lost) return;
  row.push_back(value == nullptr ? Cell() : count_cell(value->failed));
  row.push_back(value == nullptr ? Cell() : count_cell(value->missing));
}

Cell value_cell(const MetricValue& value, const Report& report) {
  if (!value.value) return Cell(std::string("n/a"));
  return value.seeds ? Cell(real_text(*value.value) + seeds_text(value, report)) : Cell(*value.value);
}

const MetricValue* value_in(const RunColumn& column, const std::string& name) {
  const auto found = column.parts.find(name);
  return found == column.parts.end() ? nullptr : found->second;
}

}  // namespace

Table part_table(const Report& report, const PartTable& wanted, std::set<const PublishedRow*>* shown) {
  std::vector<RunColumn> columns;
  std::set<std::string> names;
  std::vector<const ReportRun*> runs;
  for (const ReportRun& run : report.runs) runs.push_back(&run);
  if (wanted.before != nullptr) {
    std::stable_sort(runs.begin(), runs.end(), [&](const auto* a, const auto* b) { return wanted.before(*a, *b); });
  }
  for (const ReportRun* run : runs) {
    if (!run->evaluated) continue;
    RunColumn column{run, parts_of(*run, wanted), {}};
    for (const auto& [name, value] : column.parts) names.insert(name);
    columns.push_back(std::move(column));
  }
  std::set<std::string> datasets;
  for (RunColumn& column : columns) {
    if (wanted.published.empty()) break;
    for (const PublishedRow* row : references_of(wanted.published, report, *column.run)) {
      const bool any = std::any_of(names.begin(), names.end(),
                                   [&](const auto& name) { return row->figures.count(key_of(wanted, name)) != 0; });
      if (!any) continue;
      column.published.push_back(row);
      datasets.insert(row->dataset);
      if (shown != nullptr) shown->insert(row);
    }
  }
  // Runs that have no such part, such as the original in labels' terms, have no column.
  std::erase_if(columns, [](const RunColumn& column) { return column.parts.empty(); });
  const Counts once = common_counts(columns, names);
  Table table;
  table.columns = {{wanted.title, Type::kText, "", true}};
  add_count_columns(table, "", once.units ? wanted.units : "", once.lost);
  for (const RunColumn& column : columns) {
    const std::string& run = column.run->run;
    table.columns.push_back({run, Type::kReal, run + (is_stale(*column.run, wanted.metric) ? " *" : "")});
    for (const PublishedRow* row : column.published)
      table.columns.push_back({fmt::format("{} ({})", run, short_source(*row, datasets.size() > 1)), Type::kReal, ""});
    add_count_columns(table, run + " ", once.units ? "" : wanted.units, !once.lost && any_lost(column));
  }
  for (const std::string& name : names) {
    std::vector<Cell> row{Cell(name)};
    const MetricValue* any = nullptr;
    for (const RunColumn& column : columns) any = any == nullptr ? value_in(column, name) : any;
    add_counts(row, any, once.units, once.lost);
    for (const RunColumn& column : columns) {
      const MetricValue* value = value_in(column, name);
      row.push_back(value == nullptr ? Cell() : value_cell(*value, report));
      for (const PublishedRow* published : column.published) {
        const auto figure = published->figures.find(key_of(wanted, name));
        row.push_back(figure == published->figures.end() ? Cell() : Cell(figure->second.value));
      }
      add_counts(row, value, !once.units, !once.lost && any_lost(column));
    }
    table.rows.push_back(std::move(row));
  }
  return with_sample(std::move(table), report, report.sample != 0);
}

}  // namespace residue::cli
