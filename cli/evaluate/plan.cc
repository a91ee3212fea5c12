// plan: what eval would do, without doing it.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

constexpr const char* kWhyBound =
    "judgments needed is an upper bound: which texts are judged is known once the links are, and an unchanged link "
    "needs "
    "none";
// Nothing where it is not known: a part of it would look like all.
Json amount(const query::EvalPlan& plan, auto value) { return plan.amounts_known ? Json(value) : Json(nullptr); }

Json egress_json(const query::EvalPlan& plan) {
  auto all = Json::array();
  for (const query::EvalPlan::Egress& one : plan.egress) {
    all.push_back({{"host", one.host},
                   {"dataset", one.dataset},
                   {"texts", amount(plan, one.texts)},
                   {"bytes", amount(plan, one.bytes)},
                   {"leaves", !one.loopback},
                   {"allowed", one.allowed}});
  }
  return all;
}

std::string egress_words(const query::EvalPlan& plan) {
  std::string words;
  for (const query::EvalPlan::Egress& one : plan.egress) {
    if (!words.empty()) words += "; ";
    if (one.loopback) {
      words += fmt::format("none: {} is this machine", one.host);
      continue;
    }
    const std::string amount = plan.exact ? fmt::format("{} texts, {} bytes", grouped(one.texts), grouped(one.bytes))
                                          : std::string("passages and claims");
    words +=
        fmt::format("{} of {} to {}{}", amount, one.dataset, one.host, one.allowed ? "" : ", which is not allowed");
  }
  return words.empty() ? "none: judges are embedded" : words;
}

int plan(Context& context, const EvalFlags& flags) {
  const query::EvalOptions options = eval_options(flags);
  const auto store = open_store(context);
  const query::EvalPlan plan = query::plan(*store, targets_of(*store, flags), options);
  const query::EvalCounts& counts = plan.counts;
  if (context.out.wants_json()) {
    context.out.json({{"links", counts.links},
                      {"links_searched", {{"at_least", counts.links_searched}, {"at_most", plan.searched_most}}},
                      {"judgments", {{"known", counts.known}, {"needed", counts.rated}}},
                      {"exact", plan.exact},
                      {"bound", plan.exact ? Json(nullptr) : Json(kWhyBound)},
                      {"evaluations", {{"all", counts.evaluations}, {"current", counts.current}}},
                      {"requests", plan.requests},
                      {"tokens", amount(plan, plan.tokens)},
                      {"cost_usd", amount(plan, plan.cost_usd)},
                      {"egress", egress_json(plan)}});
    return 0;
  }
  Table table;
  const auto add = [&](const char* name, Type type, const std::string& title, Cell value) {
    table.columns.push_back({name, type, title});
    table.rows.front().push_back(std::move(value));
  };
  table.rows.emplace_back();
  add("evaluations", Type::kInteger, "(run, protocol) pairs", cell(counts.evaluations));
  add("current", Type::kInteger, "up to date", cell(counts.current));
  add("links", Type::kInteger, "links to compute", cell(counts.links));
  add("known", Type::kInteger, "judgments known", cell(counts.known));
  add("needed", Type::kInteger, plan.exact ? "judgments needed" : "judgments needed, at most", cell(counts.rated));
  add("requests", Type::kInteger, plan.amounts_known ? "requests to models" : "requests to models, at most",
      cell(plan.requests));
  if (plan.requests > 0) {
    add("tokens", Type::kInteger, "tokens to send, about", plan.amounts_known ? cell(plan.tokens) : Cell());
    add("cost_usd", Type::kReal, "USD, each asked once, at most", plan.amounts_known ? Cell(plan.cost_usd) : Cell());
  }
  add("egress", Type::kText, "text that would leave this machine", egress_words(plan));
  context.out.fields(table);
  if (!plan.exact) context.out.note(kWhyBound);
  if (counts.links_searched < plan.searched_most) {
    context.out.note(fmt::format("of {} links something is kept: most of them usually follow from it unsearched",
                                 plan.searched_most - counts.links_searched));
  }
  if (counts.current == counts.evaluations) {
    context.out.note("nothing to do; next: residue report");
  } else {
    context.out.next("residue eval with the same words");
  }
  return 0;
}

}  // namespace

Command plan_command() {
  return {.name = "plan",
          .group = Group::kEvaluate,
          .summary = "what eval would compute, cost and send, without doing it",
          .usage = "[TARGET...] [--protocol P] [--judge J] [--seeds N] [--sample N]",
          .details =
              "Counts the links to compute, the judgments that are known, those that are needed, and the requests with "
              "their cost. Names the text that would leave this machine, and where it would go. Nothing is judged, "
              "sent or changed.",
          .examples = {{"residue plan clinic", "before an evaluation"},
                       {"residue plan clinic --protocol bm25/all --json", "as one JSON object"}},
          .paged = true,
          .setup = [](Syntax& syntax) -> Run {
            auto flags = std::make_shared<EvalFlags>();
            add_eval_flags(syntax, *flags);
            return [flags](Context& context) { return plan(context, *flags); };
          }};
}

}  // namespace residue::cli
