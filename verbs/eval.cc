#include "verbs/eval.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "model/asking/answered_as.h"
#include "query/agree/judge_warnings.h"
#include "query/evaluate/running.h"
#include "query/judge/cascade_judge.h"
#include "query/metric/outside_metrics.h"
#include "query/outside/outside_store.h"
#include "query/report/left_behind.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"
#include "verbs/withdrawing.h"

namespace residue::verbs {
namespace {

// Of texts: every tier, attacker and warning reads them.
constexpr std::size_t kRememberedBytes = std::size_t{128} << 20U;

bool of_attack(const query::Gate& gate) {
  const query::MetricDefinition& metric = query::definition(gate.metric);
  return metric.tier != query::Tier::kVector && query::needs_attack(metric);
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

// Metrics of all texts together, where somebody asked for them.
query::CorpusCounts compute_corpus(storage::Store& store, const EvalOptions& options) {
  query::CorpusOptions corpus;
  corpus.metrics = query::corpus_metrics(options.metrics);
  corpus.embedder = options.embedder;
  corpus.phrase_memory_bytes = options.phrase_memory_bytes;
  if (corpus.metrics.empty()) return {};
  corpus.progress = options.progress;
  corpus.interrupted = options.attack.interrupted;
  return query::evaluate_corpus(store, options.targets, corpus);
}

// What is found, by the vectors of its claims, likewise.
query::VectorCounts compare_vectors(storage::Store& store, const EvalOptions& options) {
  const auto asked = [](const std::string& name) {
    return query::definition(*query::find_metric(name)).tier == query::Tier::kVector;
  };
  if (std::none_of(options.metrics.begin(), options.metrics.end(), asked)) return {};
  query::EvalOptions attack = options.attack;
  attack.progress = options.progress;
  return query::evaluate_vectors(store, options.targets, attack, options.embedder);
}

// Others see how far this process is.
void tell_others(query::RunningEvaluation& running, EvalOptions& options) {
  options.attack.step = [&, tell = options.attack.step](const query::EvalStep& step) {
    running.step(step);
    if (tell) tell(step);
  };
  options.attack.progress = [&, tell = options.attack.progress](const std::string& what, std::uint64_t done,
                                                                std::optional<std::uint64_t> total) {
    if (what.starts_with("asking ")) running.asking(done, total);
    if (tell) tell(what, done, total);
  };
  options.progress = [&, tell = options.progress](const std::string& what, std::uint64_t done,
                                                  std::optional<std::uint64_t> total) {
    running.other(what, done, total);
    if (tell) tell(what, done, total);
  };
}

// The datasets without any claims, where all that is asked for needs none.
std::vector<std::string> without_claims(storage::Store& store, const EvalOptions& options) {
  const bool attack_named = options.attack.stored || !options.attack.protocols.empty();
  if (attack_named || options.metrics.empty() || query::corpus_metrics(options.metrics).size() < options.metrics.size())
    return {};
  storage::Statement any = store.db().prepare(storage::sql::kClaimSetAnyOfDataset);
  std::set<std::string> names;
  for (const query::Target& target : options.targets) {
    if (!any.bind(storage::find_dataset(store.db(), target.dataset)).step()) names.insert(target.dataset);
    any.reset();
  }
  return {names.begin(), names.end()};
}

void want_membership(storage::Store& store, const std::vector<query::Target>& targets) {
  const auto has_control = [&](const query::Target& target) {
    return query::find_outside_control(store.db(), storage::find_dataset(store.db(), target.dataset)).has_value();
  };
  if (std::ranges::none_of(targets, has_control)) {
    throw Error(Code::kUsage, fmt::format("--membership: {} has no control from outside", targets.front().dataset),
                fmt::format("residue ingest dataset NAME FILE --control-of {}: people who were never in the release",
                            targets.front().dataset));
  }
  query::want_membership(store, targets);
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

}  // namespace

void check(const EvalOptions& options) {
  static_cast<void>(query::corpus_metrics(options.metrics));
  if (options.attack.stored && !options.gates.gates.empty()) {
    throw Error(Code::kUsage, "--fail-if: a gate needs named attackers, not --protocol all",
                "--protocol bm25/random:3, or a comma list");
  }
}

std::vector<query::Target> targets_of(storage::Store& store, const std::vector<query::Target>& named) {
  if (!named.empty()) return named;
  std::vector<query::Target> targets;
  storage::Statement all = store.db().prepare(storage::sql::kDatasetNamesOfReleases);
  while (all.step()) targets.push_back({std::string(all.text(0)), std::nullopt});
  if (targets.empty()) {
    throw Error(Code::kNotFound, "the store has no dataset", "residue ingest dataset NAME FILE");
  }
  return targets;
}

EvalResult eval(storage::Store& store, EvalOptions options) {
  check(options);
  options.targets = targets_of(store, options.targets);
  if (std::ranges::any_of(options.gates.gates, of_attack)) add_originals(options.targets, options.attack.judge);
  options.attack.withdraw = withdrawing();
  query::RunningEvaluation running(store.dir(), options.attack.judge);
  tell_others(running, options);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(options.jobs, 1U));
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> had_sentiment = query::runs_with_sentiment(store.db(), options.targets);
  const auto remembered = store.facts().remember_texts(kRememberedBytes);
  EvalResult all;
  if (options.membership) want_membership(store, options.targets);
  all.without_claims = without_claims(store, options);
  std::vector<query::Target> attacked = options.targets;
  std::erase_if(attacked, [&](const query::Target& target) {
    return std::ranges::find(all.without_claims, target.dataset) != all.without_claims.end();
  });
  all.counts = query::evaluate(store, attacked, options.attack);
  warn_of_judge(store, options.targets, options.attack.judge, all.counts);
  all.corpus = compute_corpus(store, options);
  options.attack.sample = all.counts.sample;  // no sample where the dataset is not larger
  all.vectors = compare_vectors(store, options);
  for (std::string& note : left_behind(store, options.targets, had_sentiment)) {
    all.counts.notes.push_back(std::move(note));
  }
  all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  all.gates = hold(store, options.gates, options.targets, options.attack, options.drop_missing);
  all.targets = std::move(options.targets);
  return all;
}

}  // namespace residue::verbs
