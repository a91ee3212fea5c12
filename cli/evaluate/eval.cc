// eval: bring the numbers up to date, then hold them against gates.
#include "verbs/eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/gate_flags.h"
#include "cli/flags/vader_files.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/report/report_tables.h"
#include "cli/syntax.h"
#include "verbs/report.h"

namespace residue::cli {
namespace {

struct Flags {
  EvalFlags eval;
  GateFlags gates;
  std::string missing = "leaked";
  AskFlags ask;
  VaderFiles vader;
  std::vector<std::string> metrics;
  std::string embedder;
  std::size_t phrase_memory_mib = query::kPhraseMemory >> 20;
  bool membership = false;
};

// Records whose every claim was known to the attacker, in one line for each dataset and protocol.
void say_what_was_not_judged(const Context& context, storage::Store& store, const std::vector<query::Target>& targets,
                             const query::EvalOptions& evaluated) {
  std::string protocols;
  for (const query::ProtocolSpec& spec : evaluated.protocols) {
    protocols += (protocols.empty() ? "" : ",") + spec.name();
  }
  std::string last;
  for (const query::Target& target : targets) {
    if (target.dataset == last) continue;
    last = target.dataset;
    verbs::ReportOptions options;
    options.what.dataset = target.dataset;
    options.what.protocols = evaluated.stored    ? "all"
                             : protocols.empty() ? std::string(query::kDefaultProtocol)
                                                 : protocols;
    options.what.judge = evaluated.judge;
    options.what.seeds = 1;
    for (const query::Report& report : verbs::report(store, options).reports) {
      if (const std::string words = not_judged(report); !words.empty()) context.out.note(words);
    }
  }
}

Json to_json(const verbs::EvalResult& all) {
  const query::EvalCounts& counts = all.counts;
  Json json = {{"evaluations", counts.evaluations},
               {"current", counts.current},
               {"runs_scored", {{"texts", counts.texts}, {"labels", counts.labels}, {"answers", counts.answers}}},
               {"links", counts.links},
               {"links_searched", counts.links_searched},
               {"links_ranked", counts.links_ranked},
               {"links_changed", counts.links_changed},
               {"judgments", {{"known", counts.known}, {"rated", counts.rated}}},
               {"rescored", counts.rescored},
               {"seconds", all.seconds}};
  json["asked"] = asked_json(counts.asked);
  json["unanswered"] = counts.unanswered;
  json["known_unanswered"] = counts.known_unanswered;
  json["sample"] = counts.sample;
  json["warnings"] = counts.notes;
  json["gates"] = gates_json(all.gates);
  json["corpus"] = {{"computed", all.corpus.computed}, {"current", all.corpus.current}, {"notes", all.corpus.notes}};
  json["vectors"] = {
      {"computed", all.vectors.computed}, {"current", all.vectors.current}, {"notes", all.vectors.notes}};
  return json;
}

verbs::EvalOptions wanted(const Context& context, const Flags& flags) {
  verbs::EvalOptions options;
  options.attack = eval_options(flags.eval);
  options.metrics = flags.metrics;
  options.embedder = flags.embedder;
  options.phrase_memory_bytes = flags.phrase_memory_mib << 20;
  options.gates = flags.gates.gates();
  options.drop_missing = flags.missing == "drop";
  options.membership = flags.membership;
  options.jobs = threads(context.globals);
  verbs::check(options);
  options.attack.max_calls = flags.ask.max_calls;
  options.attack.max_cost = flags.ask.max_cost;
  options.attack.no_repeat = flags.ask.no_repeat;
  options.attack.interrupted = [] { return interrupted(); };
  options.attack.sentiment = sentiment_lexicon(flags.vader);
  if (!options.attack.sentiment) {
    context.out.detail("sentiment_accuracy is not computed: no lexicon is named (--lexicon)");
  }
  return options;
}

// One line for all (run, protocol) pairs of a dataset; the stage stands behind. Requests to a model, which take far
// longer than anything else, have a line of their own while they last.
verbs::EvalResult evaluate(const Context& context, storage::Store& store, verbs::EvalOptions options) {
  Progress progress(context.globals, "");
  std::string dataset;
  options.attack.progress = [&](const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total) {
    if (what.starts_with("evaluating ")) dataset = what;
    const bool stage = !what.starts_with("asking ");
    progress.extra(stage && what != dataset ? what : "");
    progress.update(stage ? dataset : what, done, total.value_or(0));
  };
  options.progress = [&](const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total) {
    progress.extra("");
    progress.update(what, done, total.value_or(0));
  };
  options.attack.silence = [&](const auto& silence) { progress.trouble(silence_words(silence)); };
  return verbs::eval(store, std::move(options));
}

void say_evaluated(const Output& out, const query::EvalCounts& counts) {
  if (counts.evaluations == 0) return;  // nobody was attacked
  if (counts.current == counts.evaluations) {
    out.note(fmt::format("all {} evaluations are up to date", grouped(counts.evaluations)));
    return;
  }
  std::string own;
  if (counts.labels > 0) own += fmt::format("; labels of {} runs scored", grouped(counts.labels));
  if (counts.answers > 0) own += fmt::format("; answers about {} runs scored", grouped(counts.answers));
  out.note(
      fmt::format("evaluated {} of {} (run, protocol) pairs: {} links computed, {} searched, {} for ranks alone, {} "
                  "changed; {} judgments known, {} rated; {} record scores changed{}",
                  grouped(counts.evaluations - counts.current), grouped(counts.evaluations), grouped(counts.links),
                  grouped(counts.links_searched), grouped(counts.links_ranked), grouped(counts.links_changed),
                  grouped(counts.known), grouped(counts.rated), grouped(counts.rescored), own));
}

void say_what_counts(const Output& out, const query::EvalCounts& counts, bool asked_for_sample) {
  if (counts.asked.requests + counts.asked.left + counts.asked.too_long > 0) out.note(asked_words(counts.asked));
  if (counts.unanswered > 0) {
    out.note(fmt::format("{} records have a claim without a usable rating: they count as leaked",
                         grouped(counts.unanswered)));
  }
  if (counts.known_unanswered > 0) {
    out.note(
        fmt::format("{} records have no usable rating against what the attacker knows beforehand: "
                    "aux_overlap and excess_leakage lack them, other metrics do not",
                    grouped(counts.known_unanswered)));
  }
  if (counts.sample > 0) {
    out.note(
        fmt::format("a sample of {} target records was attacked; candidates were not sampled", grouped(counts.sample)));
  } else if (asked_for_sample) {
    out.note("the dataset has no more records than the sample: all of them were attacked");
  }
}

void say_notes(const Output& out, const verbs::EvalResult& all) {
  if (all.corpus.computed > 0) out.note(fmt::format("computed {} numbers of whole runs", grouped(all.corpus.computed)));
  if (all.vectors.computed > 0) {
    out.note(
        fmt::format("compared claims by their vectors under {} (run, protocol) pairs", grouped(all.vectors.computed)));
  }
  for (const auto* notes : {&all.corpus.notes, &all.vectors.notes}) {
    for (const std::string& note : *notes) out.note(note);
  }
  for (const std::string& name : all.without_claims) {
    out.note(fmt::format(
        "nobody was attacked in {0}, which has no claims; residue history {0} --metric METRIC shows its numbers",
        name));
  }
  for (const std::string& note : all.counts.notes) out.note("warning: " + note);
}

int eval(Context& context, const Flags& flags) {
  verbs::EvalOptions options = wanted(context, flags);
  const auto store = open_store(context);
  for (const std::string& target : flags.eval.targets) options.targets.push_back(storage::parse_target(target));
  const verbs::EvalResult all = evaluate(context, *store, options);
  if (context.out.wants_json()) {
    context.out.json(to_json(all));
  } else {
    say_evaluated(context.out, all.counts);
  }
  say_what_counts(context.out, all.counts, options.attack.sample > 0);
  if (all.counts.current < all.counts.evaluations) {
    say_what_was_not_judged(context, *store, all.targets, options.attack);
  }
  say_notes(context.out, all);
  const int code = report_gates(context, flags.gates, all.gates);
  const std::string& first = all.targets.front().dataset;
  if (std::ranges::find(all.without_claims, first) == all.without_claims.end()) {
    context.out.next("residue report {}", first);
  } else {
    context.out.next("residue atomize {}", first);
  }
  return code;
}

}  // namespace

Command eval_command() {
  return {
      .name = "eval",
      .group = Group::kEvaluate,
      .summary = "bring all numbers up to date, computing only what is new",
      .usage =
          "[TARGET...] [--protocol P] [--judge J] [--seeds N] [--sample N] [--metrics A,B] [--embedder E] "
          "[--membership] "
          "[--fail-if EXPR]... "
          "[--missing leaked|drop]",
      .details =
          "Links what an attacker knows to the sanitized records, judges what the attacker would learn from them, and "
          "updates every metric. The same command again computes nothing. An interrupted one continues when it is "
          "repeated.\n"
          "Controls are evaluated without being asked for. The linkers oracle and random stand beside every attacker, "
          "except where a model judges. The runs none and remove-all come with DATASET; DATASET/RUN evaluates that run "
          "alone.\n"
          "A gate is METRIC[.SLICE][.FIELD] OP NUMBER. SLICE is right, wrong, not_linked or a named part of the "
          "metric. FIELD is low, high, if_leaked, if_private, n, failed or missing. delta(METRIC, "
          "RUN)[.low|.high|.p|.n] OP NUMBER is about the change against RUN on common records. The exit code is 1 "
          "where a gate holds for a run that is no control, or where its number was not computed.",
      .examples = {{"residue eval clinic", "all runs of a dataset under the default protocol"},
                   {"residue eval clinic/scrub --protocol bm25/first:3,bm25/last:3 --seeds 3",
                    "attackers who know the first, or the last, three claims"},
                   {"residue eval clinic --protocol all", "every attacker evaluated before, after new or changed runs"},
                   {"residue eval clinic/scrub --protocol bm25-vote/first:3",
                    "each claim votes, among the claims of residue atomize clinic/scrub"},
                   {"residue eval clinic --fail-if 'semantic_distance < 0.5' --fail-if 'exposed_rate.high > 0.01'",
                    "as a gate in CI"},
                   {"residue eval clinic/new --fail-if 'delta(semantic_distance, old) < -0.02' --junit gates.xml",
                    "fails if it is worse than another run; CI lists the gates as tests"}},
      .setup = [](Syntax& syntax) -> Run {
        auto flags = std::make_shared<Flags>();
        add_eval_flags(syntax, flags->eval);
        flags->gates.add_to(syntax);
        syntax
            .add("--missing", flags->missing, "what gates do with failed and missing values: leaked (default) or drop")
            .one_of({"leaked", "drop"});
        syntax.add("--lexicon", flags->vader.lexicon,
                   "vader_lexicon.txt of vaderSentiment, for sentiment_accuracy (RESIDUE_VADER_LEXICON)");
        flags->ask.add_to(syntax);
        syntax
            .add("--metrics", flags->metrics,
                 "also compute what is computed only on demand: " + query::metrics_on_demand())
            .comma_separated();
        syntax.add("--phrase-memory", flags->phrase_memory_mib,
                   "MiB for the tables of rare phrases (1024): less takes longer");
        syntax.flag("--membership", flags->membership,
                    "also look for members in runs with a text for each record, now and in later evaluations; needs a "
                    "control from outside (ingest dataset --control-of)");
        syntax.add("--embedder", flags->embedder,
                   "the model whose vectors these metrics use (default: the only one stored); lsa: topic_distance "
                   "without vectors");
        return [flags](Context& context) { return eval(context, *flags); };
      }};
}

}  // namespace residue::cli
