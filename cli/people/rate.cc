// rate next, rate answer: judged pairs for a person to rate, one at a time.
#include "verbs/people/rate.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/print/output.h"
#include "cli/syntax.h"
#include "storage/catalog/lookup.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

struct Options {
  std::string target, protocol, judge, annotator;
  std::string order = "sample";
  std::size_t sample = 100;
  std::uint64_t seed = 42;
  bool show = false;
  // rate answer
  std::string pair;
  std::int64_t rating = 0;
  bool shown = false;
  std::optional<double> seconds;
};

constexpr std::string_view kRatings = "1 same, 2 similar, 3 unsupported";

query::RatingQueue open_queue(storage::Store& store, const Options& options) {
  const storage::Target target = run_target(options.target, "pairs are of one run", "write {}/RUN");
  verbs::RatingOptions wanted;
  wanted.draw.dataset = target.dataset;
  wanted.draw.run = *target.run;
  wanted.draw.protocol = options.protocol;
  if (!options.judge.empty()) wanted.draw.judge = options.judge;
  wanted.draw.sample = options.sample;
  wanted.draw.seed = options.seed;
  wanted.level = query::ReadLevel::kOriginals;  // who asks has the store
  return verbs::open_ratings(store, wanted);
}

Json json_of(const verbs::PairToRate& pair) {
  Json json = {{"pair", pair.pair},       {"claim", pair.claim}, {"claim_text", pair.claim_text},
               {"passage", pair.passage}, {"done", pair.done},   {"left", pair.left},
               {"blind", pair.blind}};
  if (pair.judge) {
    Json others = Json::array();
    for (const auto& [who, rating] : pair.by_others) others.push_back({{"annotator", who}, {"rating", rating}});
    json["judge"] = *pair.judge;
    json["by_others"] = std::move(others);
  }
  return json;
}

std::string text_of(const verbs::PairToRate& pair) {
  const auto lines = [](std::string_view text) { return text::escape_controls(text, text::Breaks::kKeep); };
  std::string out =
      fmt::format("pair     {}\nclaim    {}\n\n{}\n", text::escape_controls(pair.pair, text::Breaks::kEscape),
                  lines(pair.claim_text), lines(pair.passage));
  if (pair.judge) {
    out += fmt::format("\njudge    {}\n", *pair.judge);
    for (const auto& [who, rating] : pair.by_others) {
      out += fmt::format("{}  {}\n", rating, text::escape_controls(who, text::Breaks::kEscape));
    }
  }
  return out;
}

int next(Context& context, const Options& options) {
  context.out.refuse_tables("rate next", "write --format json");
  const auto store = open_store(context);
  const query::RatingQueue queue = open_queue(*store, options);
  const auto pair = verbs::next_pair(
      *store, queue,
      {.order = *query::rating_order(options.order), .annotator = options.annotator, .show = options.show});
  const auto whole = [&] { return pair ? json_of(*pair) : Json{{"pair", nullptr}}; };
  context.out.shaped(
      whole, [&] { return Json::array({whole()}); }, [&] { context.out.write(pair ? text_of(*pair) : std::string()); });
  context.out.flush();
  if (queue.stale) context.out.note("stale: changed since it was evaluated; residue eval " + options.target);
  if (!pair) {
    context.out.note(fmt::format("nothing is left to rate in the order {}", options.order));
    return 0;
  }
  context.out.note(fmt::format("{} rated, {} left; {}{}", pair->done, pair->left, kRatings,
                               pair->blind ? "" : "; not blind: answer with --shown"));
  return 0;
}

int answer(Context& context, const Options& options) {
  const auto store = open_store(context);
  const verbs::Kept kept = verbs::keep_rating(*store, open_queue(*store, options),
                                              {.pair = options.pair,
                                               .rating = options.rating,
                                               .annotator = options.annotator,
                                               .blind = !options.shown,
                                               .seconds = options.seconds,
                                               .order = *query::rating_order(options.order)});
  Table table;
  table.columns = {{"label", Type::kText, ""}};
  table.rows.push_back({Cell(std::string(name_of(kept)))});
  context.out.fields(table);
  return 0;
}

void add_common(Syntax& syntax, Options& options) {
  syntax.add("RUN", options.target, "DATASET/RUN").required();
  syntax.add("--annotator", options.annotator, "who rates").required();
  syntax
      .add("--order", options.order,
           "which pairs: a sample of all (default), those that people or the judge rate "
           "differently, those that the judge is unsure of")
      .one_of({std::begin(query::kRatingOrders), std::end(query::kRatingOrders)});
  syntax.add("--protocol", options.protocol, "attacker; default: the last evaluated").configured("protocol");
  syntax.add("--judge", options.judge, "judge; default: the last one").configured("judge");
}

Run setup_next(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  add_common(syntax, *options);
  syntax.add("--sample", options->sample, "how many pairs the sample has (100)").range(1, 1'000'000);
  syntax.add("--seed", options->seed, "the seed of the draw (42)");
  syntax.flag("--show", options->show, "also what the judge and others said: the label is not blind then");
  return [options](Context& context) { return next(context, *options); };
}

Run setup_answer(Syntax& syntax) {
  auto options = std::make_shared<Options>();
  add_common(syntax, *options);
  syntax.add("--pair", options->pair, "the pair, as rate next names it").required();
  syntax.add("--rating", options->rating, std::string(kRatings)).required();
  syntax.flag("--shown", options->shown, "the judge's rating was seen before");
  syntax.add("--seconds", options->seconds, "how long it took");
  return [options](Context& context) { return answer(context, *options); };
}

}  // namespace

Command rate_next_command() {
  return {
      .name = "rate next",
      .group = Group::kLook,
      .summary = "the next judged claim for a person to rate",
      .usage = "DATASET/RUN --annotator NAME [--order sample|disagreements|unsure] [--show]",
      .details =
          "A claim that the attacker did not know, and the text that he found. Nobody gets a pair twice. What is "
          "stored decides which is next, so it goes on where somebody stopped. What the judge said is not shown "
          "unless --show asks for it. Shows original text.\n"
          "  sample         the pairs that residue label draws with the same --sample and --seed\n"
          "  disagreements  pairs that somebody rated otherwise than the judge or somebody else; the furthest apart "
          "first\n"
          "  unsure         pairs on which the judge's votes differ, or whose score is near a threshold\n"
          "\n"
          "Only the first is a sample of all pairs: the others are hard ones, and agreement on them is low.",
      .examples = {{"residue rate next clinic/scrub --annotator ann --format json", "one pair, for a script"},
                   {"residue rate next clinic/scrub --annotator ann --order unsure", "what the judge is unsure of"}},
      .setup = setup_next};
}

Command rate_answer_command() {
  return {.name = "rate answer",
          .group = Group::kLook,
          .summary = "keep a person's rating of a pair",
          .usage = "DATASET/RUN --annotator NAME --pair PAIR --rating N [--shown] [--seconds S]",
          .details =
              "Stores a label of the kind support, as residue ingest labels does from a file. The same again changes "
              "nothing; another rating by the same annotator takes the place of the one before. --shown says that the "
              "judge's rating was seen: such a label is not blind, and never becomes it.",
          .examples = {{"residue rate answer clinic/scrub --annotator ann --pair n-12#2@4711 --rating 1 --seconds 8",
                        "the claim is said"}},
          .setup = setup_answer};
}

}  // namespace residue::cli
