#include "cli/flags/ask_plan.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "base/json.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"

namespace residue::cli {
namespace {

// `later`: texts of which nobody knows yet how many, nor of whom.
std::string egress_words(const verbs::PlannedAsking::Egress& one, const std::string& dataset, std::uint64_t later) {
  if (one.loopback) return fmt::format("none: {} is this machine", one.host);
  return fmt::format("{} texts, {} bytes of {} to {}{}{}", grouped(one.texts), grouped(one.bytes), dataset, one.host,
                     later > 0 ? fmt::format(", and of up to {} more", grouped(later)) : "",
                     one.allowed ? "" : ", which is not allowed");
}

Json to_json(const verbs::PlannedAsking& plan, const std::string& dataset) {
  Json egress = Json::array();
  for (const verbs::PlannedAsking::Egress& one : plan.egress) {
    egress.push_back({{"host", one.host},
                      {"dataset", dataset},
                      {"texts", one.texts},
                      {"bytes", one.bytes},
                      {"texts_later", plan.more.value_or(0)},
                      {"leaves", !one.loopback},
                      {"allowed", one.allowed}});
  }
  Json json = {{"answers", {{"known", plan.known}, {"needed", plan.needed}}},
               {"requests", plan.requests},
               {"tokens", plan.tokens},
               {"cost_usd", plan.cost_usd},
               {"egress", egress}};
  if (plan.more) json["more"] = *plan.more;
  return json;
}

}  // namespace

void print_plan(Context& context, const std::string& dataset, const verbs::PlannedAsking& plan) {
  if (context.out.wants_json()) {
    context.out.json(to_json(plan, dataset));
    return;
  }
  std::string words;
  for (const verbs::PlannedAsking::Egress& one : plan.egress) {
    words += (words.empty() ? "" : "; ") + egress_words(one, dataset, plan.more.value_or(0));
  }
  Table table;
  table.rows.emplace_back();
  const auto add = [&](const char* name, Type type, const std::string& title, Cell value) {
    table.columns.push_back({name, type, title});
    table.rows.front().push_back(std::move(value));
  };
  add("known", Type::kInteger, "answers known", cell(plan.known));
  add("needed", Type::kInteger, "answers needed", cell(plan.needed));
  add("requests", Type::kInteger, "requests, equal questions once", cell(plan.requests));
  add("tokens", Type::kInteger, "tokens to send, about", cell(plan.tokens));
  add("cost_usd", Type::kReal, "USD, each asked once, at most", Cell(plan.cost_usd));
  if (plan.more) add("more", Type::kInteger, "texts that may lead to further requests", cell(*plan.more));
  add("egress", Type::kText, "text that would leave this machine", words.empty() ? "none" : words);
  context.out.fields(table);
}

}  // namespace residue::cli
