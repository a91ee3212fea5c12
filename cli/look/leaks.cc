// leaks: which claims an attacker learned from a run, worst first.
#include "verbs/leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/eval_flags.h"
#include "cli/look/leaks_phrases.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "query/corpus/phrases.h"
#include "storage/catalog/lookup.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target, category, protocol, judge;
  std::size_t limit = 50;
  bool text = false, no_text = false, phrases = false;
  std::size_t phrase_memory_mib = query::kPhraseMemory >> 20;
};

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

std::string outcome(const query::Leak& leak) {
  if (!leak.right) return {};
  return *leak.right ? "right" : "wrong";
}

Json rows_json(const verbs::LeaksResult& found) {
  const query::Leaks& leaks = found.leaks;
  Json rows = Json::array();
  for (std::size_t i = 0; i < leaks.leaks.size(); ++i) {
    const query::Leak& leak = leaks.leaks[i];
    Json one = {{"record", leak.record},
                {"n", leak.n},
                {"rating", leak.rating},
                {"categories", leak.categories},
                {"linked", leak.linked},
                {"outcome", nullptr},
                {"leaks_of_record", leak.of_record}};
    if (leak.right) one["outcome"] = outcome(leak);
    if (!found.claims.empty()) one["claim"] = found.claims[i];
    if (!found.evidence.empty()) one["evidence"] = found.evidence[i];
    if (leaks.lens.sample != 0) one["sample"] = leaks.lens.sample;
    rows.push_back(std::move(one));
  }
  return rows;
}

Json json_of(const verbs::LeaksResult& found, const Options& options) {
  const query::Leaks& leaks = found.leaks;
  Json json = {{"target", options.target}, {"protocol", leaks.lens.spec.name()}, {"judge", leaks.lens.judge_name},
               {"total", leaks.total},     {"records", leaks.records},           {"failed", leaks.failed},
               {"stale", leaks.stale}};
  if (leaks.lens.sample != 0) json["sample"] = leaks.lens.sample;
  json["leaks"] = rows_json(found);
  return json;
}

Table table_of(const verbs::LeaksResult& found) {
  const query::Leaks& leaks = found.leaks;
  Table table;
  table.columns = {{"record", Type::kText, ""}, {"n", Type::kInteger, ""}, {"rating", Type::kInteger, ""}};
  if (!found.claims.empty()) table.columns.push_back({"claim", Type::kText, ""});
  if (!found.evidence.empty()) table.columns.push_back({"evidence", Type::kText, ""});
  const bool categories = std::any_of(leaks.leaks.begin(), leaks.leaks.end(),
                                      [](const query::Leak& leak) { return !leak.categories.empty(); });
  if (categories) table.columns.push_back({"categories", Type::kText, ""});
  table.columns.push_back({"linked", Type::kText, ""});
  table.columns.push_back({"outcome", Type::kText, "link"});
  if (leaks.lens.sample != 0) table.columns.push_back({"sample", Type::kInteger, ""});
  for (std::size_t i = 0; i < leaks.leaks.size(); ++i) {
    const query::Leak& leak = leaks.leaks[i];
    std::vector<Cell> row{Cell(leak.record), Cell(std::int64_t{leak.n}), Cell(std::int64_t{leak.rating})};
    if (!found.claims.empty()) row.emplace_back(found.claims[i]);
    if (!found.evidence.empty()) row.emplace_back(found.evidence[i]);
    if (categories) row.emplace_back(joined(leak.categories));
    row.emplace_back(leak.linked);
    row.push_back(leak.right ? Cell(outcome(leak)) : Cell());
    if (leaks.lens.sample != 0) row.push_back(cell(leaks.lens.sample));
    table.rows.push_back(std::move(row));
  }
  return table;
}

int leaks(Context& context, const Options& options) {
  if (const storage::Target named = storage::parse_target(options.target); !named.run) {
    storage::find_dataset(open_store(context, true)->db(), named.dataset);  // throws where it is the name of a run
  }
  const storage::Target target = run_target(options.target, "leaks are those of one run", "write residue leaks {}/RUN");
  const auto store = open_store(context, true);
  if (options.phrases) {
    return leaks_phrases(context, *store, target, {options.limit, options.phrase_memory_mib, options.no_text});
  }
  verbs::LeaksOptions wanted;
  wanted.what.dataset = target.dataset;
  wanted.what.run = *target.run;
  wanted.what.protocol = options.protocol;
  if (!options.judge.empty()) wanted.what.judge = options.judge;
  wanted.what.category = options.category;
  wanted.what.limit = options.limit;
  wanted.claims = !options.no_text;
  wanted.evidence = options.text;
  const verbs::LeaksResult result = verbs::leaks(*store, wanted);
  const query::Leaks& found = result.leaks;
  context.out.shaped([&] { return json_of(result, options); }, [&] { return rows_json(result); },
                     [&] { context.out.table(table_of(result)); });
  if (found.failed > 0) {
    context.out.note(
        fmt::format("{} of the run failed or {}: what was claimed of their records counts as leaked and is not listed",
                    found.failed == 1 ? "1 text" : grouped(found.failed) + " texts",
                    found.failed == 1 ? "is not there" : "are not there"));
  }
  if (found.stale)
    context.out.note(fmt::format("stale: changed since it was evaluated; residue eval {}", options.target));
  context.out.note(fmt::format(
      "{} leaked claims of {} records{}, under {} by {}{}", found.total, found.records,
      found.leaks.size() < found.total ? fmt::format(", the first {} shown (--limit)", found.leaks.size()) : "",
      found.lens.spec.name(), found.lens.judge_name,
      found.lens.sample != 0 ? fmt::format(", sample of {}", found.lens.sample) : ""));
  if (!found.leaks.empty()) {
    context.out.next("residue show {} --run {}", shell_word(target.dataset + "/" + found.leaks.front().record),
                     *target.run);
  }
  return 0;
}

Run setup(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  syntax.add("RUN", options->target, "DATASET/RUN").required();
  syntax.add("--category", options->category, "only claims of this category");
  syntax.add("--limit,--top", options->limit, "how many (50); 0: all");
  add_protocol(syntax, options->protocol, "attacker; default: the last evaluated").configured("protocol", [options] {
    return !options->phrases;
  });
  syntax.add("--judge", options->judge, "judge; default: the last one").configured("judge", [options] {
    return !options->phrases;
  });
  syntax.flag("--text", options->text, "also the words of the linked text that give the claim away");
  syntax.flag("--no-text", options->no_text, "no claims and no phrases, only where they are");
  syntax
      .flag("--phrases", options->phrases,
            "instead: phrases of 1 to 8 words of the released texts that one person's originals alone have")
      .excludes("--category")
      .excludes("--protocol")
      .excludes("--judge")
      .excludes("--text");
  syntax.add("--phrase-memory", options->phrase_memory_mib, "MiB for the tables of phrases (1024): less takes longer")
      .needs("--phrases");
  return [options](Context& context) { return leaks(context, *options); };
}

}  // namespace

Command leaks_command() {
  return {
      .name = "leaks",
      .group = Group::kLook,
      .summary = "which claims an attacker learned from a run, worst first",
      .usage = "DATASET/RUN",
      .details =
          "Lists the claims that the attacker did not know and that the text he found supports. Rating 1: the text "
          "says the same. Rating 2: it says something similar. Shows original text; --no-text leaves it out.\n"
          "--phrases lists phrases instead, the longest first. It needs no evaluation. OF is the record whose original "
          "has the phrase, ALONE the words of its shortest part that this person alone has.",
      .examples = {{"residue leaks clinic/scrub", "the 50 worst"},
                   {"residue leaks clinic/scrub --category Age --limit 0 --csv", "all of one category, as a file"},
                   {"residue leaks clinic/scrub --text", "with the words that give each away"},
                   {"residue leaks clinic/scrub --phrases --limit 20", "phrases that one person alone has"}},
      .paged = true,
      .setup = setup};
}

}  // namespace residue::cli
