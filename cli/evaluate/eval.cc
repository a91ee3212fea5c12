// eval: bring the numbers up to date, then hold them against gates.
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/command.h"
#include "cli/flags/ask_flags.h"
#include "cli/flags/eval_flags.h"
#include "cli/flags/gate_flags.h"
#include "cli/flags/vader_files.h"
#include "cli/flags/withdrawing.h"
#include "cli/open.h"
#include "cli/print/interrupt.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/report/report_tables.h"
#include "cli/syntax.h"
#include "model/asking/answered_as.h"
#include "query/agree/judge_warnings.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/evaluate/vector_evaluation.h"
#include "query/inputs/snapshot.h"
#include "query/judge/cascade_judge.h"
#include "query/report/left_behind.h"
#include "query/report/report.h"

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
};

std::vector<std::string> gated_runs(storage::Store& store, const std::vector<query::Target>& targets,
                                    const std::string& dataset) {
  std::vector<std::string> runs;
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  for (const query::RunHead& run : query::list_runs(store.db(), id)) {
    if (run.kind == query::RunKind::kNone || run.kind == query::RunKind::kRemoveAll) continue;
    for (const query::Target& target : targets) {
      if (target.dataset != dataset || (target.run && *target.run != run.name)) continue;
      runs.push_back(run.name);
      break;
    }
  }
  return runs;
}

std::vector<query::GateResult> hold_gates(storage::Store& store, const std::vector<query::Target>& targets,
                                          const query::EvalOptions& options, const std::vector<query::Gate>& gates,
                                          bool drop, const query::MinCoverage& min_coverage) {
  std::vector<query::GateResult> results;
  std::vector<std::string> done;
  for (const query::Target& target : targets) {
    if (std::find(done.begin(), done.end(), target.dataset) != done.end()) continue;
    done.push_back(target.dataset);
    query::GateInput input;
    input.dataset = target.dataset;
    input.runs = gated_runs(store, targets, target.dataset);
    if (input.runs.empty()) {
      throw Error(Code::kUsage, fmt::format("--fail-if: dataset {} has no run that gates apply to", target.dataset),
                  "gates do not apply to the automatic controls none and remove-all");
    }
    const DatasetId id = storage::find_dataset(store.db(), target.dataset);
    std::vector<query::ProtocolSpec> specs = options.protocols;
    if (specs.empty()) specs.push_back(query::parse_protocol(query::kDefaultProtocol));
    for (query::ProtocolSpec& spec : specs) {
      spec.claim_set = query::find_claim_set(store.db(), id, target.dataset, spec.claim_set).name;
      if (!spec.linker->control()) input.protocols.push_back(spec);
    }
    if (input.protocols.empty()) {
      throw Error(Code::kUsage, "--fail-if: gates do not apply to the control linkers oracle and random",
                  "name an attacker: --protocol bm25/random:3");
    }
    input.seeds = options.seeds;
    input.sample = options.sample;
    input.judge = options.judge;
    input.drop_missing = drop;
    input.min_coverage = min_coverage;
    for (query::GateResult& result : query::check_gates(store, gates, input)) results.push_back(std::move(result));
  }
  return results;
}

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
    query::ReportOptions options;
    options.dataset = target.dataset;
    options.protocols = evaluated.stored ? "all" : protocols.empty() ? std::string(query::kDefaultProtocol) : protocols;
    options.judge = evaluated.judge;
    options.seeds = 1;
    for (const query::Report& report : query::load_reports(store, options)) {
      if (const std::string words = not_judged(report); !words.empty()) context.out.note(words);
    }
  }
}

// What one command has computed.
struct Evaluated {
  query::EvalCounts counts;
  query::CorpusCounts corpus;
  query::VectorCounts vectors;
  std::vector<query::GateResult> gates;
  double seconds = 0;
};

Json to_json(const Evaluated& all) {
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

// Metrics of all texts together, where somebody asked for them.
query::CorpusCounts compute_corpus(const Context& context, storage::Store& store,
                                   const std::vector<query::Target>& targets, const Flags& flags) {
  query::CorpusOptions options;
  options.metrics = query::corpus_metrics(flags.metrics);
  options.embedder = flags.embedder;
  if (options.metrics.empty()) return {};
  Progress progress(context.globals, "");
  options.progress = progress.labelled_callback();
  options.interrupted = [] { return interrupted(); };
  return query::evaluate_corpus(store, targets, options);
}

// What these runs had and have no more, or only as it was.
std::vector<std::string> left_behind(storage::Store& store, const std::vector<query::Target>& targets,
                                     const std::vector<std::string>& had_sentiment) {
  std::vector<std::string> notes = query::outdated_corpus_metrics(store.db(), targets);
  const std::vector<std::string> have = query::runs_with_sentiment(store.db(), targets);
  std::vector<std::string> lost;
  for (const std::string& run : had_sentiment) {
    if (std::find(have.begin(), have.end(), run) == have.end()) lost.push_back(run);
  }
  if (!lost.empty()) {
    notes.push_back(fmt::format("sentiment_accuracy of {} was dropped: no lexicon is named; --lexicon FILE computes it",
                                fmt::join(lost, ", ")));
  }
  return notes;
}

// What is found, by the vectors of its claims, likewise.
query::VectorCounts compare_vectors(const Context& context, storage::Store& store,
                                    const std::vector<query::Target>& targets, query::EvalOptions options,
                                    const Flags& flags) {
  const auto asked = [](const std::string& name) {
    return query::definition(*query::find_metric(name)).tier == query::Tier::kVector;
  };
  if (std::none_of(flags.metrics.begin(), flags.metrics.end(), asked)) return {};
  Progress progress(context.globals, "");
  options.progress = progress.labelled_callback();
  return query::evaluate_vectors(store, targets, options, flags.embedder);
}

// Of texts: every tier, attacker and warning reads them.
constexpr std::size_t kRememberedBytes = std::size_t{128} << 20U;

// Languages are looked at where something was computed: the same command again costs nothing.
void warn_of_judge(storage::Store& store, const std::vector<query::Target>& targets, const std::string& judge,
                   query::EvalCounts& counts) {
  std::set<std::string> datasets;
  for (const query::Target& target : targets) datasets.insert(target.dataset);
  const storage::Lock texts = store.hold_texts();
  if (counts.asked.requests > 0) {
    std::string note = model::swapped_note(store, query::answering_judge(judge));
    if (!note.empty()) counts.notes.push_back(std::move(note));
  }
  for (const std::string& dataset : datasets) {
    std::vector<std::string> notes = query::shared_model_notes(store.db(), dataset, judge);
    if (counts.current < counts.evaluations) {
      for (std::string& note : query::language_notes(store, dataset, judge)) notes.push_back(std::move(note));
    }
    counts.notes.insert(counts.notes.end(), notes.begin(), notes.end());
  }
}

query::EvalOptions wanted(const Context& context, const Flags& flags, const std::vector<query::Gate>& gates) {
  query::EvalOptions options = eval_options(flags.eval);
  if (options.stored && !gates.empty()) {
    throw Error(Code::kUsage, "--fail-if: a gate needs named attackers, not --protocol all",
                "--protocol bm25/random:3, or a comma list");
  }
  options.max_calls = flags.ask.max_calls;
  options.max_cost = flags.ask.max_cost;
  options.no_repeat = flags.ask.no_repeat;
  options.interrupted = [] { return interrupted(); };
  options.sentiment = sentiment_lexicon(flags.vader);
  if (!options.sentiment) context.out.detail("sentiment_accuracy is not computed: no lexicon is named (--lexicon)");
  return options;
}

query::EvalCounts evaluate(const Context& context, storage::Store& store, const std::vector<query::Target>& targets,
                           query::EvalOptions options) {
  // One line for all (run, protocol) pairs of a dataset; the stage stands behind. Requests to a model, which take far
  // longer than anything else, have a line of their own while they last.
  Progress progress(context.globals, "");
  std::string dataset;
  options.progress = [&](const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total) {
    if (what.starts_with("evaluating ")) dataset = what;
    const bool stage = !what.starts_with("asking ");
    progress.extra(stage && what != dataset ? what : "");
    progress.update(stage ? dataset : what, done, total.value_or(0));
  };
  options.withdraw = withdrawing();
  options.silence = [&](const auto& silence) { progress.trouble(silence_words(silence)); };
  return query::evaluate(store, targets, options);
}

bool of_attack(const query::Gate& gate) {
  const query::Tier tier = query::definition(gate.metric).tier;
  return tier == query::Tier::kLink || tier == query::Tier::kJudge;
}

// Gates ask whether the attack finds anything in the originals (query/stored/doubts.h), so these are attacked as well.
// Not where a model judges: that would be paid for.
void add_originals(std::vector<query::Target>& targets, const std::string& judge) {
  if (std::ranges::find(query::judge_names(), judge) == query::judge_names().end()) return;
  std::set<std::string> whole, parts;
  for (const query::Target& target : targets) (target.run ? parts : whole).insert(target.dataset);
  for (const std::string& dataset : parts) {
    if (!whole.contains(dataset)) targets.push_back({dataset, "none"});
  }
}

void say_evaluated(const Output& out, const query::EvalCounts& counts) {
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

void say_notes(const Output& out, const Evaluated& all) {
  if (all.corpus.computed > 0) out.note(fmt::format("computed {} numbers of whole runs", grouped(all.corpus.computed)));
  if (all.vectors.computed > 0) {
    out.note(
        fmt::format("compared claims by their vectors under {} (run, protocol) pairs", grouped(all.vectors.computed)));
  }
  for (const auto* notes : {&all.corpus.notes, &all.vectors.notes}) {
    for (const std::string& note : *notes) out.note(note);
  }
  for (const std::string& note : all.counts.notes) out.note("warning: " + note);
}

int eval(Context& context, const Flags& flags) {
  static_cast<void>(query::corpus_metrics(flags.metrics));
  const std::vector<query::Gate> gates = flags.gates.parsed();
  query::EvalOptions options = wanted(context, flags, gates);
  const auto store = open_store(context);
  std::vector<query::Target> targets = targets_of(*store, flags.eval);
  if (std::ranges::any_of(gates, of_attack)) add_originals(targets, options.judge);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads(context.globals));
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> had_sentiment = query::runs_with_sentiment(store->db(), targets);
  const auto remembered = store->facts().remember_texts(kRememberedBytes);
  Evaluated all;
  all.counts = evaluate(context, *store, targets, options);
  warn_of_judge(*store, targets, options.judge, all.counts);
  all.corpus = compute_corpus(context, *store, targets, flags);
  const bool asked_for_sample = options.sample > 0;
  options.sample = all.counts.sample;  // no sample where the dataset is not larger
  all.vectors = compare_vectors(context, *store, targets, options, flags);
  for (std::string& note : left_behind(*store, targets, had_sentiment)) all.counts.notes.push_back(std::move(note));
  all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!gates.empty())
    all.gates = hold_gates(*store, targets, options, gates, flags.missing == "drop",
                           query::parse_min_coverage(flags.gates.min_coverage));
  if (context.out.wants_json()) {
    context.out.json(to_json(all));
  } else {
    say_evaluated(context.out, all.counts);
  }
  say_what_counts(context.out, all.counts, asked_for_sample);
  if (all.counts.current < all.counts.evaluations) say_what_was_not_judged(context, *store, targets, options);
  say_notes(context.out, all);
  const int code = report_gates(context, flags.gates, all.gates);
  context.out.next("residue report {}", targets.front().dataset);
  return code;
}

}  // namespace

Command eval_command() {
  return {
      .name = "eval",
      .group = Group::kEvaluate,
      .summary = "bring all numbers up to date, computing only what is new",
      .usage =
          "[TARGET...] [--protocol P] [--judge J] [--seeds N] [--sample N] [--metrics A,B] [--embedder E] [--fail-if "
          "EXPR]... "
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
                 "also compute what is computed only on demand: mauve, topic_distance, embedding_cosine, "
                 "detectability, nearest_copy, copied_run, embedding_distance")
            .comma_separated();
        syntax.add("--embedder", flags->embedder,
                   "the model whose vectors these metrics use (default: the only one stored); lsa: topic_distance "
                   "without vectors");
        return [flags](Context& context) { return eval(context, *flags); };
      }};
}

}  // namespace residue::cli
