#include "cli/study/attack_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "base/json.h"
#include "cli/print/numbers.h"
#include "cli/report/report_cells.h"
#include "cli/study/references.h"
#include "verbs/tables/attack_figures.h"

namespace residue::cli {
namespace {

using query::MetricValue;
using query::Report;
using verbs::AttackFigures;
using verbs::AttackValue;
using Row = AttackFigures::Row;

const AttackValue& first_value(const Row& row) {
  return **std::ranges::find_if(row.values, [](const auto& value) { return value.has_value(); });
}

// Whether in each row one n, failed, missing and sample is that of all its
// values.
bool counts_agree(const AttackFigures& figures) {
  const auto counts = [](const AttackValue& value) {
    return std::array{value.metric.n, value.metric.failed, value.metric.missing, static_cast<double>(value.sample)};
  };
  return std::ranges::all_of(figures.rows, [&](const Row& row) {
    const AttackValue& first = first_value(row);
    return std::ranges::all_of(row.values,
                               [&](const auto& value) { return !value || counts(*value) == counts(first); });
  });
}

bool any_value(const AttackFigures& figures, const std::function<bool(const AttackValue&)>& is) {
  return std::ranges::any_of(figures.rows, [&](const Row& row) {
    return std::ranges::any_of(row.values, [&](const auto& value) { return value && is(*value); });
  });
}

// Files have the interval and the coverage of each value, too; on a terminal the columns are the paper's.
void add_interval_columns(Table& table, const std::string& of) {
  for (const char* end : {"low", "high", "coverage"}) table.columns.push_back({of + end, Type::kReal, ""});
}

void add_interval(std::vector<Cell>& row, const AttackValue* value) {
  for (const auto end : {&MetricValue::low, &MetricValue::high, &MetricValue::coverage})
    row.push_back(value == nullptr ? Cell() : cell(value->metric.*end));
}

void add_count_columns(Table& table, const std::string& of, bool sampled) {
  for (const char* count : {"n", "failed", "missing"}) {
    const bool of_all = of.empty() && *count == 'n';
    table.columns.push_back({of + count, Type::kInteger, "", false, of_all ? 0 : 2});
  }
  if (sampled) table.columns.push_back({of + "sample", Type::kInteger, "", false, 2});
}

void add_counts(std::vector<Cell>& row, const AttackValue* value, bool sampled) {
  for (const auto count : {&MetricValue::n, &MetricValue::failed, &MetricValue::missing})
    row.push_back(value == nullptr ? Cell() : count_cell(value->metric.*count));
  if (sampled) row.push_back(value == nullptr || value->sample == 0 ? Cell() : cell(value->sample));
}

class Builder {
 public:
  Builder(const std::vector<Report>& reports, const AttackRequest& request)
      : report_(reports.front()),
        request_(request),
        figures_(verbs::attack_figures(reports, request.name, request.reference)),
        together_(request.form != Form::kFile && counts_agree(figures_)),
        sampled_(any_value(figures_, [](const AttackValue& value) { return value.sample != 0; })),
        stale_(request.form == Form::kFile ||
               any_value(figures_, [](const AttackValue& value) { return value.stale; })),
        drop_(report_.missing == query::MissingPolicy::kDrop) {}

  Shown build(std::set<const query::PublishedRow*>& published) {
    Shown shown{{columns(), {}}, {}};
    for (const Row& one : figures_.rows) {
      shown.table.rows.push_back(row(one, nullptr));
      Json list = Json::array();
      for (const query::PublishedRow* theirs : one.published) {
        published.insert(theirs);
        list.push_back(reference_json(*theirs));
        if (!request_.json) shown.table.rows.push_back(row(one, theirs));
      }
      if (request_.json && request_.reference) shown.references.push_back(std::move(list));
    }
    return shown;
  }

 private:
  [[nodiscard]] std::vector<Column> columns() const {
    Table table;
    table.columns = {{"run", Type::kText, "", true}, {"attack", Type::kText, "", true}};
    if (figures_.several_metrics) table.columns.push_back({"metric", Type::kText, "", true});
    for (const AttackFigures::Column& column : figures_.columns) {
      table.columns.push_back({column.name, Type::kReal, ""});
      if (column.deviates) table.columns.push_back({column.name + " sd", Type::kReal, "", false, 2});
      if (request_.form == Form::kFile) add_interval_columns(table, column.name + " ");
      if (!together_) add_count_columns(table, column.name + " ", sampled_);
    }
    if (together_) add_count_columns(table, "", sampled_);
    if (request_.form != Form::kTerminal) table.columns.push_back({"judge", Type::kText, ""});
    if (stale_) table.columns.push_back({"stale", Type::kInteger, ""});
    if (drop_) table.columns.push_back({"missing_policy", Type::kText, ""});
    if (request_.reference && request_.form == Form::kFile && !request_.json)
      table.columns.push_back({"reference", Type::kText, ""});
    return std::move(table.columns);
  }

  // Files say in n how many records it is of.
  [[nodiscard]] Cell value_cell(const AttackValue& value) const {
    const MetricValue& metric = value.metric;
    // A run that it applies to no record of (synthetic ones link nobody) is not one that nobody attacked so.
    if (!metric.value && request_.form != Form::kFile) return Cell("n/a");
    if (!metric.seeds || request_.form == Form::kFile) return cell(metric.value);
    return real_text(*metric.value) + fmt::format(" ({} of the seeds)", *metric.seeds);
  }

  // Of ours, or where `published` is given of that paper.
  [[nodiscard]] std::vector<Cell> row(const Row& of, const query::PublishedRow* published) const {
    const bool ours = published == nullptr;
    std::string name = of.run.value_or("(no release)");
    if (!ours && request_.form != Form::kFile) name += fmt::format(" ({})", short_source(*published, true));
    std::vector<Cell> row = {Cell(std::move(name)), Cell(of.attack)};
    if (figures_.several_metrics) row.emplace_back(std::string(query::definition(of.metric).name));
    for (std::size_t i = 0; i < figures_.columns.size(); ++i) {
      const AttackFigures::Column& column = figures_.columns[i];
      const AttackValue* value = ours && of.values[i] ? &*of.values[i] : nullptr;
      const auto* figure = ours ? nullptr : verbs::published_figure(*published, of.metric, column.name);
      row.push_back(figure != nullptr ? Cell(figure->value) : value == nullptr ? Cell() : value_cell(*value));
      if (column.deviates) {
        row.push_back(figure != nullptr  ? cell(figure->deviation)
                      : value == nullptr ? Cell()
                                         : cell(value->metric.deviation));
      }
      if (request_.form == Form::kFile) add_interval(row, value);
      if (!together_) add_counts(row, value, sampled_);
    }
    if (together_) add_counts(row, ours ? &first_value(of) : nullptr, sampled_);
    const bool judged = ours && query::definition(of.metric).tier == query::Tier::kJudge;
    if (request_.form != Form::kTerminal) row.push_back(judged ? Cell(report_.judge) : Cell());
    if (stale_) {
      const bool any = std::ranges::any_of(of.values, [](const auto& value) { return value && value->stale; });
      row.push_back(ours ? Cell(std::int64_t{any}) : Cell());
    }
    if (drop_) row.push_back(ours ? Cell("drop") : Cell());
    if (request_.reference && request_.form == Form::kFile && !request_.json)
      row.push_back(ours ? Cell() : Cell(published->text()));
    return row;
  }

  const Report& report_;
  const AttackRequest& request_;
  AttackFigures figures_;
  bool together_, sampled_, stale_, drop_;
};

}  // namespace

Shown attack_table(const std::vector<Report>& reports, const AttackRequest& request,
                   std::set<const query::PublishedRow*>& published) {
  return Builder(reports, request).build(published);
}

}  // namespace residue::cli
