#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "cli/report/compare_tables.h"

namespace residue::cli {

using query::Frontier;
using query::FrontierRun;

namespace {

Cell value_of(const std::optional<query::MetricValue>& value) { return value ? cell(value->value) : Cell(); }

}  // namespace

Table frontier_table(const Frontier& frontier) {
  Table table;
  table.columns = {{"run", Type::kText, "", true}};
  for (const query::MetricId id : {frontier.privacy, frontier.utility}) {
    table.columns.push_back({std::string(query::definition(id).name), Type::kReal, ""});
  }
  table.columns.push_back({"place", Type::kText, ""});
  table.columns.push_back({"dominated_by", Type::kText, ""});
  for (const FrontierRun& run : frontier.runs) {
    const char* place = run.control         ? "control"
                        : !run.compared()   ? "not computed"
                        : run.on_frontier() ? "frontier"
                                            : "dominated";
    table.rows.push_back(
        {Cell(run.run), value_of(run.privacy), value_of(run.utility), Cell(std::string(place)),
         run.dominated_by.empty() ? Cell() : Cell(fmt::format("{}", fmt::join(run.dominated_by, ", ")))});
  }
  return table;
}

Json frontier_json(const Frontier& frontier) {
  Json json = {{"privacy", query::definition(frontier.privacy).name},
               {"utility", query::definition(frontier.utility).name},
               {"runs", Json::array()}};
  const auto number = [](const std::optional<query::MetricValue>& value) {
    return value && value->value ? Json(*value->value) : Json(nullptr);
  };
  for (const FrontierRun& run : frontier.runs) {
    json["runs"].push_back({{"run", run.run},
                            {"control", run.control},
                            {"stale", run.stale},
                            {"privacy", number(run.privacy)},
                            {"utility", number(run.utility)},
                            {"frontier", run.on_frontier()},
                            {"dominated_by", run.dominated_by}});
  }
  return json;
}

std::string frontier_words(const Frontier& frontier) {
  std::vector<std::string> best;
  std::vector<std::string> others;
  for (const FrontierRun& run : frontier.runs) {
    if (run.on_frontier()) best.push_back(run.run);
    if (!run.dominated_by.empty()) {
      others.push_back(fmt::format("{} by {}", run.run, fmt::join(run.dominated_by, " and ")));
    }
  }
  const auto name = [](query::MetricId id) { return query::definition(id).name; };
  if (best.empty()) {
    return fmt::format("Pareto frontier of {} and {}: no run has both", name(frontier.privacy), name(frontier.utility));
  }
  std::string text = fmt::format("Pareto frontier of {} and {}: {}", name(frontier.privacy), name(frontier.utility),
                                 fmt::join(best, ", "));
  if (!others.empty()) text += fmt::format("; dominated: {}", fmt::join(others, ", "));
  return text;
}

}  // namespace residue::cli
