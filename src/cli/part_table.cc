#include "cli/part_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "cli/references.h"
#include "cli/report_cells.h"

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

std::array<std::int64_t, 3> counts_of(const MetricValue& value) {
  return {value.units.value_or(value.n), value.failed, value.missing};
}

struct RunColumn {
  const ReportRun* run;
  Parts parts;
  std::vector<const PublishedRow*> published;
};

// Whether one set of counts is that of all runs in every row.
bool counts_agree(const std::vector<RunColumn>& columns, const std::set<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    const MetricValue* first = nullptr;
    return std::all_of(columns.begin(), columns.end(), [&](const RunColumn& column) {
      const auto found = column.parts.find(name);
      if (found == column.parts.end()) return true;
      if (first == nullptr) first = found->second;
      return counts_of(*first) == counts_of(*found->second);
    });
  });
}

std::string key_of(const PartTable& wanted, const std::string& name) {
  return fmt::format("{}/{}{}", query::definition(wanted.metric).name, wanted.prefix, name);
}

void add_count_columns(Table& table, const PartTable& wanted, const std::string& of) {
  for (const std::string& what : {wanted.units, std::string("failed"), std::string("missing")})
    table.columns.push_back({of + what, Type::kInteger, ""});
}

void add_counts(std::vector<Cell>& row, const MetricValue* value) {
  for (std::size_t i = 0; i < 3; ++i) row.push_back(value == nullptr ? Cell() : Cell(counts_of(*value)[i]));
}

const MetricValue* value_in(const RunColumn& column, const std::string& name) {
  const auto found = column.parts.find(name);
  return found == column.parts.end() ? nullptr : found->second;
}

}  // namespace

Table part_table(const Report& report, const PartTable& wanted, std::set<const PublishedRow*>* shown) {
  std::vector<RunColumn> columns;
  std::set<std::string> names;
  for (const ReportRun& run : report.runs) {
    if (!run.evaluated) continue;
    RunColumn column{&run, parts_of(run, wanted), {}};
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
  const bool together = counts_agree(columns, names);
  Table table;
  table.columns = {{wanted.title, Type::kText, "", true}};
  if (together) add_count_columns(table, wanted, "");
  for (const RunColumn& column : columns) {
    const std::string& run = column.run->run;
    table.columns.push_back({run, Type::kReal, run + (column.run->stale ? " *" : "")});
    for (const PublishedRow* row : column.published)
      table.columns.push_back({fmt::format("{} ({})", run, short_source(*row, datasets.size() > 1)), Type::kReal, ""});
    if (!together) add_count_columns(table, wanted, run + " ");
  }
  for (const std::string& name : names) {
    std::vector<Cell> row{Cell(name)};
    if (together) {
      const MetricValue* any = nullptr;
      for (const RunColumn& column : columns) any = any == nullptr ? value_in(column, name) : any;
      add_counts(row, any);
    }
    for (const RunColumn& column : columns) {
      const MetricValue* value = value_in(column, name);
      row.push_back(value == nullptr ? Cell() : value->value ? Cell(*value->value) : Cell(std::string("n/a")));
      for (const PublishedRow* published : column.published) {
        const auto figure = published->figures.find(key_of(wanted, name));
        row.push_back(figure == published->figures.end() ? Cell() : Cell(figure->second.value));
      }
      if (!together) add_counts(row, value);
    }
    table.rows.push_back(std::move(row));
  }
  return with_sample(std::move(table), report, report.sample != 0);
}

}  // namespace residue::cli
