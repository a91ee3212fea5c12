// judge: which judges there are, what they say of pairs, and how far to believe them.
#include "query/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/jsonl_filter.h"
#include "cli/open.h"
#include "cli/print/formats.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "query/agree/judge_selftest.h"
#include "verbs/look/judges.h"

namespace residue::cli {
namespace {

using verbs::ListedJudge;

// Nothing where there is none and none is named.
std::unique_ptr<storage::Store> store_if_any(const Context& context) {
  if (!context.globals.store && !storage::Store::find(".", true)) return nullptr;
  return open_store(context, true);
}

std::string_view word_of(ListedJudge::Kind kind) {
  switch (kind) {
    case ListedJudge::Kind::kEmbedded:
      return "embedded";
    case ListedJudge::Kind::kNotInstalled:
      return "not installed";
    case ListedJudge::Kind::kSuperseded:
      return "superseded";
    case ListedJudge::Kind::kElsewhere:
      return "elsewhere";
    case ListedJudge::Kind::kModel:
      break;
  }
  return "model";
}

Run setup_list(Syntax& /*syntax*/) {
  return [](Context& context) {
    Table table;
    table.columns = {{"judge", Type::kText, ""},    {"version", Type::kText, ""},    {"kind", Type::kText, ""},
                     {"pairs", Type::kInteger, ""}, {"samples", Type::kInteger, ""}, {"validated", Type::kText, ""}};
    const auto store = store_if_any(context);
    for (const ListedJudge& one : verbs::list_judges(store.get())) {
      const bool installed = one.kind != ListedJudge::Kind::kNotInstalled;
      table.rows.push_back({Cell(one.name), one.version.empty() ? Cell() : Cell(one.version),
                            Cell(std::string(word_of(one.kind))), cell(one.pairs),
                            one.samples ? cell(*one.samples) : Cell(),
                            Cell(installed ? one.validated : "needs the package wordnet-base, or RESIDUE_WORDNET")});
    }
    context.out.table(table);
    return 0;
  };
}

Run setup_show(Syntax& syntax) {
  auto name = std::make_shared<std::string>();
  syntax.add("NAME", *name, "the judge").required();
  return [name](Context& context) {
    const auto embedded = query::judge_names();
    const bool known = std::find(embedded.begin(), embedded.end(), *name) != embedded.end();
    const auto store = known ? nullptr : store_if_any(context);
    const verbs::JudgeCard card = verbs::show_judge(store.get(), *name);
    context.out.json({{"judge", card.judge},
                      {"version", card.version},
                      {"embedded", card.embedded},
                      {"validated", card.validated},
                      {"digest", card.digest},
                      {"spec", card.spec}});
    return 0;
  };
}

Run setup_rate(Syntax& syntax) {
  struct Options {
    std::vector<std::string> files;
    std::string judge = "lexical";
  };
  auto options = std::make_shared<Options>();
  syntax.add("FILE", options->files, "JSON Lines; - or none: standard input");
  syntax.add("--judge", options->judge, "lexical (default), lexical-wordnet or rouge");
  return [options](Context& context) {
    const std::shared_ptr<const query::Judge> judge = query::make_judge(options->judge);
    return filter_jsonl(context, options->files,
                        {.fields = {"claim", "passage"},
                         .adds = {"rating", "score", "evidence", "explanation"},
                         .values = [judge](const std::vector<std::string>& values) {
                           const auto rated = verbs::rate_pair(*judge, values[0], values[1]);
                           // A blank claim asserts nothing: no rating, no reason.
                           if (!rated) return std::vector<std::string>{"null", "null", "null", "null"};
                           return std::vector<std::string>{fmt::format("{}", rated->rating), json_number(rated->score),
                                                           json_string(rated->evidence), json_string(rated->why)};
                         }});
  };
}

Run setup_selftest(Syntax& syntax) {
  auto name = std::make_shared<std::string>("lexical");
  syntax.add("NAME", *name, "lexical (default), lexical-wordnet or rouge");
  return [name](Context& context) {
    const auto judge = query::make_judge(*name);
    Table table;
    table.columns = {{"perturbation", Type::kText, ""},
                     {"expected", Type::kText, ""},
                     {"passed", Type::kInteger, ""},
                     {"failed", Type::kInteger, ""}};
    std::uint64_t failed = 0;
    for (const auto& row : query::selftest(*judge)) {
      table.rows.push_back(
          {Cell(std::string(row.kind)), Cell(std::string(row.expects)), cell(row.passed), cell(row.failed)});
      failed += row.failed;
    }
    context.out.table(table);
    context.out.flush();
    context.out.note(
        fmt::format("judge {} ({}): {} failed; made-up records test a judge, only people's labels "
                    "calibrate it",
                    *name, verbs::version_of(*judge), failed));
    return failed == 0 ? 0 : static_cast<int>(Code::kGateFailed);
  };
}

}  // namespace

Command judge_list_command() {
  return {.name = "judge list",
          .group = Group::kLook,
          .summary = "the judges, their versions, and what validated them",
          .usage = "",
          .details =
              "A version is the beginning of the SHA-256 of everything that a rating depends on. In a store, the list "
              "also has judges of which only the judgments are stored: judges from elsewhere, and earlier "
              "versions of the embedded ones.",
          .examples = {{"residue judge list", "a line for each judge"}},
          .paged = true,
          .setup = setup_list};
}

Command judge_show_command() {
  return {.name = "judge show",
          .group = Group::kLook,
          .summary = "everything that a judge's ratings depend on",
          .usage = "NAME",
          .details = "An object with the judge's spec, weights and thresholds included, and its digest.",
          .examples = {{"residue judge show lexical", "weights, thresholds, word lists' digest"}},
          .paged = true,
          .setup = setup_show};
}

Command judge_rate_command() {
  return {.name = "judge rate",
          .group = Group::kLook,
          .summary = "ratings of claim and passage pairs (JSONL filter)",
          .usage = "[FILE...] [--judge NAME]",
          .details =
              "Reads {\"claim\": ..., \"passage\": ...} lines and adds \"rating\" (1 same, 2 similar, 3 unsupported),\n"
              "\"score\" (0 to 1), \"evidence\" (the part of the passage that decided) and \"explanation\". Needs no\n"
              "store. A blank claim asserts nothing and gets null, as does one in another script than the passage.",
          .examples = {{"residue judge rate pairs.jsonl > rated.jsonl", "each line with its rating and why"}},
          .setup = setup_rate};
}

Command judge_selftest_command() {
  return {.name = "judge selftest",
          .group = Group::kLook,
          .summary = "what a judge gets wrong: negations, swaps, redactions, instructions",
          .usage = "[NAME]",
          .details =
              "Changes made-up records in one way each, rates them, and counts how often the rating changed as it "
              "must. The exit code is 1 if a rating ever failed to change. A judge that passes may still disagree with "
              "people: see "
              "judge calibrate.",
          .examples = {{"residue judge selftest", "the lexical judge, a line for each kind of change"},
                       {"residue judge selftest rouge", "the papers' baseline, which knows no negation"}},
          .setup = setup_selftest};
}

}  // namespace residue::cli
