// judge: which judges there are, what they say of pairs, and how far to believe them.
#include "storage/catalog/answers/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/digest.h"
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
#include "query/agree/validation.h"
#include "query/judge/judge.h"
#include "query/judge/judging.h"

namespace residue::cli {
namespace {

std::string version_of(const query::Judge& judge) { return to_hex(sha256(judge.spec()).substr(0, 4)); }

// Nothing where there is none and none is named.
std::unique_ptr<storage::Store> store_if_any(const Context& context) {
  if (!context.globals.store && !storage::Store::find(".", true)) return nullptr;
  return open_store(context, true);
}

// Those of the store, if there is one.
std::vector<query::StoredJudge> stored(const Context& context) {
  const auto store = store_if_any(context);
  return store ? query::stored_judges(store->db()) : std::vector<query::StoredJudge>();
}

std::string kind_of(const query::StoredJudge& judge) {
  if (judge.embedded) return "superseded";
  return judge.imported ? "elsewhere" : "model";
}

Run setup_list(Syntax& /*syntax*/) {
  return [](Context& context) {
    Table table;
    table.columns = {{"judge", Type::kText, ""},    {"version", Type::kText, ""},    {"kind", Type::kText, ""},
                     {"pairs", Type::kInteger, ""}, {"samples", Type::kInteger, ""}, {"validated", Type::kText, ""}};
    std::vector<query::StoredJudge> others = stored(context);
    for (const auto name : query::judge_names()) {
      const auto judge = query::installed_judge(name);
      // Of one that is not installed the version is that of what it has rated here.
      std::string version = judge ? version_of(*judge) : "";
      std::uint64_t pairs = 0;
      std::erase_if(others, [&](const query::StoredJudge& other) {
        const bool same = other.name == name && (!judge || other.version == version);
        if (same) pairs = other.pairs;
        if (same) version = other.version;
        return same;
      });
      if (judge == nullptr) {
        table.rows.push_back({Cell(std::string(name)), version.empty() ? Cell() : Cell(version),
                              Cell(std::string("not installed")), cell(pairs), Cell(),
                              Cell(std::string("needs the package wordnet-base, or RESIDUE_WORDNET"))});
        continue;
      }
      table.rows.push_back({Cell(std::string(name)), Cell(version), Cell(std::string("embedded")), cell(pairs), Cell(),
                            Cell(query::validation_text(*judge))});
    }
    for (const query::StoredJudge& other : others) {
      table.rows.push_back({Cell(other.name), Cell(other.version), Cell(kind_of(other)), cell(other.pairs),
                            other.imported ? cell(other.samples) : Cell(), Cell(std::string("never"))});
    }
    context.out.table(table);
    return 0;
  };
}

// A judge that the store knows: a model, a cascade, or one whose judgments were made elsewhere.
int show_stored(Context& context, storage::Store& store, const std::string& name) {
  storage::Statement find = store.db().prepare(storage::sql::kJudgeByName);
  find.bind(name);
  if (!find.step()) {
    throw Error(Code::kNotFound, fmt::format("no judge named '{}' has rated anything here", name),
                "residue judge list has those that have; residue model show has the settings of a model");
  }
  const std::string digest = to_hex(find.text(1));
  context.out.json({{"judge", name},
                    {"version", digest.substr(0, 8)},
                    {"embedded", find.integer(2) != 0},
                    {"validated", "never"},
                    {"digest", digest},
                    {"spec", Json::parse(find.text(0))}});
  return 0;
}

Run setup_show(Syntax& syntax) {
  auto name = std::make_shared<std::string>();
  syntax.add("NAME", *name, "the judge").required();
  return [name](Context& context) {
    const auto embedded = query::judge_names();
    if (std::find(embedded.begin(), embedded.end(), *name) == embedded.end()) {
      if (const auto store = store_if_any(context)) return show_stored(context, *store, *name);
    }
    const auto judge = query::make_judge(*name);
    const auto spec = Json::parse(judge->spec());
    context.out.json({{"judge", *name},
                      {"version", version_of(*judge)},
                      {"embedded", judge->embedded()},
                      {"validated", query::validation_text(*judge)},
                      {"digest", to_hex(sha256(judge->spec()))},
                      {"spec", spec}});
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
                           const query::Request request{values[1], {values[0]}};
                           const auto rating = judge->rate({&request, 1})[0][0];
                           const auto why = judge->explain(values[1], values[0]);
                           // A blank claim asserts nothing: no rating, no reason.
                           if (!rating) return std::vector<std::string>{"null", "null", "null", "null"};
                           return std::vector<std::string>{
                               fmt::format("{}", rating->rating), json_number(rating->score),
                               json_string(values[1].substr(why.window_begin, why.window_end - why.window_begin)),
                               json_string(why.sentence)};
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
                    *name, version_of(*judge), failed));
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
