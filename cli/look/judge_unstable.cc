// judge unstable: the pairs on which a judge disagrees with itself, from saved answers alone.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "verbs/look/judges.h"

namespace residue::cli {
namespace {

using verbs::UnstableResult;

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

Json rows_json(const UnstableResult& result) {
  const query::Unstable& found = result.found;
  auto rows = Json::array();
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const query::UnstablePair& pair = found.pairs[i];
    Json row = {{"judge", pair.judge},         {"claim", nullptr}, {"passage", nullptr}, {"rated", pair.votes.ratings},
                {"failed", pair.votes.failed}, {"mode", nullptr}};
    if (!pair.claim.empty()) row["claim"] = pair.claim;
    if (!pair.passage.empty()) row["passage"] = pair.passage;
    if (pair.votes.mode) row["mode"] = *pair.votes.mode;
    if (!result.claims.empty()) {
      row["claim_text"] = result.claims[i];
      row["passage_text"] = result.passages[i];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json json_of(const UnstableResult& result) {
  const query::Unstable& found = result.found;
  auto judges = Json::array();
  for (const query::UnstableSum& sum : found.judges) {
    Json one = {{"judge", sum.judge},         {"asked", sum.asked},
                {"compared", sum.compared},   {"unstable", sum.unstable},
                {"share_of_asked", nullptr},  {"share_of_compared", nullptr},
                {"undecided", sum.undecided}, {"failed_votes", sum.failed_votes}};
    if (const auto value = share(sum.unstable, sum.asked)) one["share_of_asked"] = *value;
    if (const auto value = share(sum.unstable, sum.compared)) one["share_of_compared"] = *value;
    judges.push_back(std::move(one));
  }
  return {{"judges", judges}, {"total", found.total}, {"pairs", rows_json(result)}};
}

Table table_of(const UnstableResult& result) {
  const query::Unstable& found = result.found;
  Table table;
  table.columns = {{"judge", Type::kText, ""},         {"claim", Type::kText, "", true},
                   {"passage", Type::kText, "", true}, {"rated_1", Type::kInteger, "1"},
                   {"rated_2", Type::kInteger, "2"},   {"rated_3", Type::kInteger, "3"},
                   {"failed", Type::kInteger, ""},     {"mode", Type::kInteger, ""}};
  if (!result.claims.empty()) {
    table.columns.push_back({"claim_text", Type::kText, ""});
    table.columns.push_back({"passage_text", Type::kText, ""});
  }
  const auto named = [](const std::string& name) { return name.empty() ? Cell() : Cell(name); };
  for (std::size_t i = 0; i < found.pairs.size(); ++i) {
    const query::UnstablePair& pair = found.pairs[i];
    std::vector<Cell> row = {Cell(pair.judge), named(pair.claim), named(pair.passage)};
    for (const std::uint32_t count : pair.votes.ratings) row.push_back(cell(std::uint64_t{count}));
    row.push_back(cell(std::uint64_t{pair.votes.failed}));
    row.push_back(pair.votes.mode ? Cell(std::int64_t{*pair.votes.mode}) : Cell());
    if (!result.claims.empty()) {
      row.emplace_back(result.claims[i]);
      row.emplace_back(result.passages[i]);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string summary(const query::UnstableSum& sum) {
  if (sum.asked == 0) return fmt::format("{}: no pair was asked", sum.judge);
  const std::uint64_t single = sum.asked - sum.compared;
  std::string words = sum.compared == 0 ? fmt::format("{}: no pair has two votes", sum.judge)
                                        : fmt::format("{}: {} of {} pairs with two votes or more are unstable ({})",
                                                      sum.judge, grouped(sum.unstable), grouped(sum.compared),
                                                      percent_text(*share(sum.unstable, sum.compared)));
  if (single > 0) words += fmt::format("; {} pairs have fewer", grouped(single));
  if (sum.failed_votes > 0) {
    words += fmt::format("; {} votes failed, {} pairs have no rating because of them", grouped(sum.failed_votes),
                         grouped(sum.undecided));
  }
  return words;
}

int unstable(Context& context, const verbs::UnstableOptions& options) {
  const auto store = open_store(context, true);
  const UnstableResult result = verbs::unstable(*store, options);
  const query::Unstable& found = result.found;
  context.out.shaped([&] { return json_of(result); }, [&] { return rows_json(result); },
                     [&] { context.out.table(table_of(result)); });
  if (found.judges.empty()) context.out.note("no judge was asked: embedded judges rate a pair once and for all");
  for (const query::UnstableSum& sum : found.judges) context.out.note(summary(sum));
  if (found.pairs.size() < found.total) {
    context.out.note(fmt::format("the first {} shown (--limit)", found.pairs.size()));
  }
  return 0;
}

}  // namespace

Command judge_unstable_command() {
  return {.name = "judge unstable",
          .group = Group::kLook,
          .summary = "pairs on which the votes of a judge differ",
          .usage = "[JUDGE | DATASET | DATASET/RUN] [--judge NAME] [--limit N] [--text]",
          .details =
              "Reads saved answers, and judgments made elsewhere. Nothing is asked.\n"
              "  1, 2, 3  how many votes gave that rating\n"
              "  failed   votes that were answered, but never in a usable way\n"
              "  mode     the rating that counts; none where the failed votes could have changed it\n"
              "\n"
              "Pairs with the greatest share of dissent come first. The last line says how many pairs were asked. A "
              "word that is the name of a judge is that judge; with --judge it is a dataset or a run.",
          .examples = {{"residue judge unstable gpt4", "all that this judge was asked"},
                       {"residue judge unstable clinic/scrub --judge gpt4 --text", "one run, with the texts"}},
          .paged = true,
          .setup = [](Syntax& syntax) -> Run {
            auto options = std::make_shared<verbs::UnstableOptions>();
            syntax.add("WHAT", options->what, "a judge, a dataset or DATASET/RUN; default: all");
            syntax.add("--judge", options->judge, "the judge; default: all that were asked");
            syntax.add("--limit", options->limit, "how many pairs (50); 0: all");
            syntax.flag("--text", options->texts, "also the claims and passages");
            return [options](Context& context) { return unstable(context, *options); };
          }};
}

}  // namespace residue::cli
