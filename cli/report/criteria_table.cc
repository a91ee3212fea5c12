#include "cli/report/criteria_table.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/json.h"
#include "cli/print/output.h"
#include "cli/print/table.h"
#include "cli/print/wrap.h"
#include "cli/report/report_cells.h"
#include "cli/report/report_tables.h"

namespace residue::cli {
namespace {

using query::MetricValue;
using verbs::CriterionRow;
using verbs::NotTested;

Cell value_cell(const std::optional<MetricValue>& value) { return value ? cell(value->value) : Cell(); }

// The number whose interval stands in the row.
const MetricValue& told(const CriterionRow& row) { return row.net && row.net->value ? *row.net : *row.attack; }

std::vector<Column> columns(bool runs) {
  std::vector<Column> all;
  if (runs) all.push_back({"run", Type::kText, "", true});
  const std::vector<Column> rest = {{"criterion", Type::kText, ""},
                                    {"metric", Type::kText, "", true},
                                    {"attack", Type::kReal, ""},
                                    {"control", Type::kReal, ""},
                                    {"net", Type::kReal, ""},
                                    {"low", Type::kReal, "", false, 1},
                                    {"high", Type::kReal, "", false, 1},
                                    {"worst_person", Type::kReal, "worst person"},
                                    {"worst_persons", Type::kInteger, "so many", false, 2},
                                    {"n", Type::kInteger, ""},
                                    {"failed", Type::kInteger, "", false, 1},
                                    {"missing", Type::kInteger, "", false, 1},
                                    {"coverage", Type::kPercent, "", false, 1}};
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

std::vector<Cell> cells(const CriterionRow& row) {
  const MetricValue& value = told(row);
  return {Cell(std::string(row.criterion)),
          Cell(row.metric),
          value_cell(row.attack),
          value_cell(row.control),
          value_cell(row.net),
          cell(value.low),
          cell(value.high),
          cell(row.worst),
          row.worst ? Cell(row.worst_persons) : Cell(),
          count_cell(row.attack->n),
          count_cell(row.attack->failed),
          count_cell(row.attack->missing),
          cell(row.attack->coverage)};
}

std::string line_of(const NotTested& one) {
  return fmt::format("  {}: {}{}\n", one.what, one.why, one.command.empty() ? "" : "; " + one.command);
}

std::string no_gain(const verbs::RunCriteria& run) {
  std::string names;
  for (const CriterionRow& row : run.rows) {
    if (!row.net || !row.net->value || *row.net->value >= 0) continue;
    names += (names.empty() ? "" : ", ") + row.metric;
  }
  return names.empty() ? names : fmt::format("  no gain: the control learns more than the attack: {}\n", names);
}

void print_for_people(Context& context, const query::Report& report, const verbs::Criteria& criteria) {
  const std::size_t width = context.out.look().width;
  context.out.write(fitted(report_heading(report, true), width));
  for (const verbs::RunCriteria& run : criteria.runs) {
    context.out.write(fmt::format("\n{}\n\n", run.run));
    Table table{columns(false), {}};
    bool stale = false;
    for (const CriterionRow& row : run.rows) {
      table.rows.push_back(cells(row));
      stale = stale || row.stale;
    }
    context.out.table(table);
    std::string below = stale ? "  stale: changed since it was evaluated\n" : "";
    below += no_gain(run);
    if (!run.not_tested.empty()) below += "not tested of " + run.run + ":\n";
    for (const NotTested& one : run.not_tested) below += line_of(one);
    context.out.write(fitted(below, width));
  }
  std::string text = "\nnot tested of any run:\n";
  for (const NotTested& one : criteria.never) text += line_of(one);
  text +=
      "\nlow, high: 95 % interval of the net, where there is one, else of the attack. worst person: the number for the "
      "person of whom it is worst, and for how many it is as bad. control of a gain: what chance alone gives, the gain "
      "of "
      "the second best hit over the third. All of it is given the attacker named above.\n";
  context.out.write(fitted(text, width));
}

Json json_of(const std::optional<MetricValue>& value) {
  if (!value) return Json();
  return {{"value", value->value}, {"low", value->low}, {"high", value->high}};
}

Json json_of(const std::vector<NotTested>& all) {
  Json list = Json::array();
  for (const NotTested& one : all) {
    Json entry = {{"what", one.what}, {"why", one.why}};
    if (!one.command.empty()) entry["command"] = one.command;
    list.push_back(std::move(entry));
  }
  return list;
}

Json json_of(const query::Report& report, const verbs::Criteria& criteria) {
  Json json = {{"dataset", report.dataset},
               {"protocol", report.protocol},
               {"judge", report.judge},
               {"judge_version", report.judge_version},
               {"validation", report.validation.text},
               {"seeds", report.seeds},
               {"missing_policy", report.missing == query::MissingPolicy::kDrop ? "drop" : "leaked"}};
  if (report.sample != 0) json["sample"] = report.sample;
  json["runs"] = Json::array();
  for (const verbs::RunCriteria& run : criteria.runs) {
    Json rows = Json::array();
    for (const CriterionRow& row : run.rows) {
      Json one = {{"criterion", row.criterion},
                  {"metric", row.metric},
                  {"attack", json_of(row.attack)},
                  {"control", json_of(row.control)},
                  {"net", json_of(row.net)},
                  {"worst_person", row.worst},
                  {"worst_persons", row.worst_persons},
                  {"persons", row.persons},
                  {"n", row.attack->n},
                  {"failed", row.attack->failed},
                  {"missing", row.attack->missing},
                  {"not_applicable", row.attack->not_applicable},
                  {"coverage", row.attack->coverage}};
      if (row.stale) one["stale"] = true;
      rows.push_back(std::move(one));
    }
    json["runs"].push_back({{"run", run.run}, {"criteria", std::move(rows)}, {"not_tested", json_of(run.not_tested)}});
  }
  json["not_tested"] = json_of(criteria.never);
  return json;
}

// What was not tested are rows without numbers, so that no file is without them.
Table flat(const std::vector<query::Report>& reports, const std::vector<verbs::Criteria>& all) {
  Table table{columns(true), {}};
  for (const char* name : {"protocol", "judge"}) table.columns.push_back({name, Type::kText, ""});
  table.columns.push_back({"stale", Type::kInteger, ""});
  const auto put = [&](std::size_t report, const std::string& run, std::vector<Cell> rest, bool stale = false) {
    std::vector<Cell> row{Cell(run)};
    row.insert(row.end(), rest.begin(), rest.end());
    row.resize(table.columns.size() - 3);
    row.emplace_back(reports[report].protocol);
    row.emplace_back(reports[report].judge);
    row.emplace_back(std::int64_t{stale ? 1 : 0});
    table.rows.push_back(std::move(row));
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const verbs::RunCriteria& run : all[i].runs) {
      for (const CriterionRow& row : run.rows) put(i, run.run, cells(row), row.stale);
      for (const NotTested& one : run.not_tested) {
        put(i, run.run, {Cell(std::string("not tested")), Cell(fmt::format("{}: {}", one.what, one.why))});
      }
    }
    for (const NotTested& one : all[i].never) {
      put(i, "", {Cell(std::string("not tested")), Cell(fmt::format("{}: {}", one.what, one.why))});
    }
  }
  return table;
}

}  // namespace

void print_criteria(Context& context, const verbs::TableResult& result) {
  const std::vector<query::Report>& reports = result.report.reports;
  if (context.out.wants_json()) {
    if (reports.size() == 1) {
      context.out.json(json_of(reports.front(), result.criteria.front()));
      return;
    }
    Json all = Json::array();
    for (std::size_t i = 0; i < reports.size(); ++i) all.push_back(json_of(reports[i], result.criteria[i]));
    context.out.json(all);
    return;
  }
  if (context.globals.format != Format::kTable) {
    context.out.table(flat(reports, result.criteria));
    return;
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    if (i > 0) context.out.write("\n");
    print_for_people(context, reports[i], result.criteria[i]);
  }
}

}  // namespace residue::cli
