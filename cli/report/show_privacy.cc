// What each person's data was spent on, as `show DATASET` has it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/print/numbers.h"
#include "cli/report/report_cells.h"
#include "cli/report/show_print.h"

namespace residue::cli {
namespace {

using numbers::rounded_up;

std::string digits(double value) { return fmt::format("{:g}", rounded_up(value)); }
std::string digits(const std::optional<double>& value) { return value ? digits(*value) : "no bound"; }

Json number(double value) { return std::isfinite(value) ? Json(rounded_up(value)) : Json(nullptr); }
Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

std::string count_of(std::int64_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void print_sum(const ShowView& view, const query::SpentCard& spent) {
  Table table;
  table.columns = {{"composition", Type::kText, ""}, {"epsilon", Type::kText, ""}, {"delta", Type::kText, ""}};
  table.rows = {
      {Cell("basic: the sums"), Cell(digits(spent.sum.epsilon)), Cell(digits(spent.sum.basic_delta))},
      {Cell("zcdp: rho " + digits(spent.sum.rho)), Cell(digits(spent.sum.zcdp)), Cell(digits(spent.sum.delta))},
      {Cell("tight: numerical"), Cell(digits(spent.sum.tight)), Cell(digits(spent.sum.delta))}};
  if (spent.counted > 0) {
    view.write(fmt::format("\nspent of each {} (of {}) by {}:\n", spent.unit, spent.units,
                           count_of(spent.counted, "release")));
    view.write(render_table(table, view.context.out.look()));
  }
  if (!spent.unbounded.empty()) {
    view.write(fmt::format("{} without noise (epsilon=inf): {}. With {}, nothing is promised.\n",
                           count_of(static_cast<std::int64_t>(spent.unbounded.size()), "release"),
                           fmt::join(spent.unbounded, ", "), spent.unbounded.size() == 1 ? "it" : "them"));
  }
  if (spent.sum.basic_delta * static_cast<double>(spent.units) >= 1) {
    view.write(
        fmt::format("The deltas add up to 1/n or more of {} {}s: publishing one of them whole would keep this.\n",
                    spent.units, spent.unit));
  }
}

}  // namespace

Json privacy_json(const query::PrivacyCard& card) {
  Json json = {{"releases", Json::array()},
               {"spent", Json::array()},
               {"not_in_ledger", card.unknown},
               {"from_elsewhere", card.outside}};
  for (const query::ReleaseCard& one : card.releases) {
    Json noise = Json::array();
    for (const numbers::NoisyNumbers& part : one.spending.noise) {
      noise.push_back({{"sigma", std::sqrt(part.variance.value())}, {"shift", part.shift}, {"times", part.times}});
    }
    json["releases"].push_back({{"runs", one.runs},
                                {"unit", one.unit},
                                {"units", one.units},
                                {"epsilon", number(one.spending.epsilon)},
                                {"delta", one.spending.delta},
                                {"rho", number(one.rho)},
                                {"tight", number(one.tight)},
                                {"noise_from", one.noise},
                                {"mechanism", one.mechanism.empty() ? Json(nullptr) : Json(one.mechanism)},
                                {"noise", noise},
                                {"struck", one.struck}});
  }
  for (const query::SpentCard& one : card.spent) {
    json["spent"].push_back(
        {{"unit", one.unit},
         {"units", one.units},
         {"releases", one.counted},
         {"without_bound", one.unbounded},
         {"basic", {{"epsilon", number(one.sum.epsilon)}, {"delta", number(one.sum.basic_delta)}}},
         {"zcdp", {{"rho", number(one.sum.rho)}, {"epsilon", number(one.sum.zcdp)}, {"delta", number(one.sum.delta)}}},
         {"tight", {{"epsilon", number(one.sum.tight)}, {"delta", number(one.sum.delta)}}}});
  }
  return json;
}

void show_privacy(const ShowView& view, const query::PrivacyCard& card) {
  if (!card.releases.empty()) {
    Table table;
    table.columns = {{"release", Type::kText, ""}, {"unit", Type::kText, ""},  {"epsilon", Type::kText, ""},
                     {"delta", Type::kText, ""},   {"rho", Type::kText, ""},   {"tight", Type::kText, ""},
                     {"noise", Type::kText, ""},   {"counts", Type::kText, ""}};
    for (const query::ReleaseCard& one : card.releases) {
      const bool bounded = std::isfinite(one.spending.epsilon);
      table.rows.push_back({Cell(fmt::format("{}", fmt::join(one.runs, ", "))), Cell(one.unit),
                            Cell(bounded ? digits(one.spending.epsilon) : "inf"),
                            Cell(bounded ? digits(one.spending.delta) : "-"), Cell(bounded ? digits(one.rho) : "-"),
                            Cell(bounded ? digits(one.tight) : "inf"),
                            Cell(one.mechanism.empty() ? one.noise : one.noise + ": " + one.mechanism),
                            Cell(one.struck ? "struck out" : "yes")});
    }
    view.write("\nprivate releases, removed ones too:\n" + render_table(table, view.context.out.look()));
  }
  for (const query::SpentCard& one : card.spent) print_sum(view, one);
  if (card.spent.size() > 1) {
    view.write("What protects a record does not protect a person who has several: the two do not add up.\n");
  }
  if (!card.unknown.empty()) {
    view.write(fmt::format("Made before there was a ledger, and not in it: {}. Repeat the command that made {}.\n",
                           fmt::join(card.unknown, ", "), card.unknown.size() == 1 ? "it" : "them"));
  }
  if (!card.outside.empty()) {
    view.write(
        fmt::format("Made elsewhere, with an epsilon of their own, and in no sum: {}. (residue ingest run ... "
                    "--spent enters them)\n",
                    fmt::join(card.outside, ", ")));
  }
}

}  // namespace residue::cli
