#include "cli/study/part_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/print/numbers.h"
#include "cli/report/report_cells.h"
#include "cli/study/references.h"

namespace residue::cli {
namespace {

using query::MetricValue;
using query::PublishedRow;
using query::Report;

using RunColumn = verbs::PartFigures::OfRun;

Cell units_of(const MetricValue& value) { return value.units ? units_cell(value) : count_cell(value.n); }
bool has_lost(const MetricValue& value) { return value.failed + value.missing > 0; }

// What stands once, where it is the same of all runs in every row, and what behind a run.
struct Counts {
  bool units = true, lost = true;  // once
};

Counts common_counts(const std::vector<RunColumn>& columns, const std::vector<std::string>& names) {
  Counts common;
  for (const std::string& name : names) {
    const MetricValue* first = nullptr;
    for (const RunColumn& column : columns) {
      const auto found = column.values.find(name);
      if (found == column.values.end()) continue;
      if (first == nullptr) first = found->second;
      const MetricValue& value = *found->second;
      common.units = common.units && units_of(value) == units_of(*first);
      common.lost = common.lost && value.failed == first->failed && value.missing == first->missing;
    }
  }
  return common;
}

bool any_lost(const RunColumn& column) {
  return std::any_of(column.values.begin(), column.values.end(),
                     [](const auto& part) { return has_lost(*part.second); });
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
  const auto found = column.values.find(name);
  return found == column.values.end() ? nullptr : found->second;
}

}  // namespace

Table part_table(const Report& report, const verbs::PartFigures& figures) {
  const verbs::PartQuestion& wanted = figures.of;
  const std::vector<std::string>& names = figures.names;
  std::set<std::string> datasets;
  std::vector<RunColumn> columns;
  for (const RunColumn& run : figures.runs) {
    for (const PublishedRow* row : run.published) datasets.insert(row->dataset);
    // Runs that have no such part, such as the original in labels' terms, have no column.
    if (!run.values.empty()) columns.push_back(run);
  }
  const Counts once = common_counts(columns, names);
  Table table;
  table.columns = {{wanted.part, Type::kText, "", true}};
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
        const auto figure = published->figures.find(figures.published_key(name));
        row.push_back(figure == published->figures.end() ? Cell() : Cell(figure->second.value));
      }
      add_counts(row, value, !once.units, !once.lost && any_lost(column));
    }
    table.rows.push_back(std::move(row));
  }
  return with_sample(std::move(table), report, report.sample != 0);
}

}  // namespace residue::cli
