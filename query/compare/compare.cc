#include "query/compare/compare.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/parallel_ranges.h"
#include "numbers/stats/multiple_testing.h"
#include "query/agree/validation.h"
#include "query/compare/corpus_delta.h"
#include "query/compare/effect_size.h"
#include "query/compare/value_delta.h"
#include "query/evaluate/vector_evaluation.h"
#include "query/inputs/repeats.h"
#include "query/stored/answered.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/protocol.h"
#include "storage/catalog/sources/record.h"

namespace residue::query {
namespace {

using Lists = std::vector<std::vector<ScoredRecord>>;  // by seed

// Whose contributions a metric is made of.
MetricId source_of(MetricId metric) {
  return definition(metric).kind == Kind::kWorst ? MetricId::kSemanticDistance : metric;
}

// `persons`: a hit on another record may be a hit on the person.
std::vector<MetricId> metrics_of(const CompareOptions& options, bool persons) {
  std::vector<MetricId> ids;
  if (options.metrics.empty()) {
    ids = default_metrics();
    if (persons) {
      ids.insert(std::find(ids.begin(), ids.end(), MetricId::kLinkageRate), MetricId::kLinkageRatePerson);
    }
    ids.push_back(MetricId::kLeakByCategory);
  }
  for (const std::string& name : options.metrics) {
    const auto id = find_metric(name);
    if (!id) {
      std::vector<std::string> known;
      for (const MetricDefinition& metric : metric_definitions()) known.emplace_back(metric.name);
      throw Error(Code::kUsage, fmt::format("no metric \"{}\"{}", name, did_you_mean(name, known)),
                  "residue report --json lists all under \"definitions\"");
    }
    const Kind kind = definition(*id).kind;
    if (kind == Kind::kHarmonic) {
      throw Error(Code::kUsage, fmt::format("{} is not a mean over records, so runs cannot be paired by it", name),
                  "compare token_recall and token_precision, of which it is made");
    }
    const bool unbounded = std::isinf(definition(*id).high) && !of_whole_runs(definition(*id));
    if (kind == Kind::kHistogram || kind == Kind::kDistribution || unbounded) {
      throw Error(Code::kUsage,
                  fmt::format("{} is not made of numbers of records, so runs cannot be paired by it", name),
                  "compare a mean over records, such as semantic_distance");
    }
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  return ids;
}

// Of answers to tasks: those of the first name, in byte order, that answered about all the runs.
std::vector<EvaluationId> answers_about(storage::Db& db, const Comparable& what, const ComparedRun& run,
                                        MetricId metric) {
  const auto set_of = [&](const ComparedRun& one, const std::string& model) -> std::optional<AnswerSetId> {
    for (const AnsweredMetric& other : answered_metrics(db, one.id, metric)) {
      if (other.model == model) return other.set;
    }
    return std::nullopt;
  };
  for (const AnsweredMetric& one : answered_metrics(db, what.runs.front().id, metric)) {
    const auto has = [&](const ComparedRun& other) { return set_of(other, one.model).has_value(); };
    if (!std::all_of(what.runs.begin(), what.runs.end(), has)) continue;
    const auto evaluation = current_evaluation(db, run.id, Tier::kTask, {}, *set_of(run, one.model));
    if (evaluation->changed.empty()) return {evaluation->id};
    throw Error(Code::kUsage,
                fmt::format("{} of {}/{} is not up to date: {}", definition(metric).name, what.lens.dataset_name,
                            run.name, evaluation->changed),
                fmt::format("residue eval {}", what.lens.dataset_name));
  }
  return {};
}

// Of the attacker that links by rouge-l, by seed; none where one of the seeds was not evaluated so.
std::vector<EvaluationId> lexical_baselines(storage::Db& db, const Comparable& what, const ComparedRun& run) {
  std::vector<EvaluationId> found;
  for (const ProtocolSpec& seed : with_seeds(what.lens.spec, what.seeds)) {
    storage::Statement protocol = db.prepare(storage::sql::kProtocolIdByNameAndSample);
    const ProtocolSpec spec = lexical_baseline(seed);
    protocol.bind(what.lens.dataset, spec.name(), static_cast<std::int64_t>(what.lens.sample));
    if (!protocol.step()) return {};
    const auto evaluation = current_evaluation(db, run.id, Tier::kLink, protocol.id<ProtocolId>(0), {});
    if (!evaluation) return {};
    if (!evaluation->changed.empty()) {
      throw Error(Code::kUsage,
                  fmt::format("lexical_distance of {}/{} is not up to date: {}", what.lens.dataset_name, run.name,
                              evaluation->changed),
                  fmt::format("residue eval {} --protocol {}", what.lens.dataset_name, spec.name()));
    }
    found.push_back(evaluation->id);
  }
  return found;
}

// Of vectors: those of one embedder, seed by seed.
std::vector<EvaluationId> vectors_of(storage::Db& db, const Comparable& what, const ComparedRun& run, MetricId metric) {
  storage::Statement find = db.prepare(storage::sql::kEvaluationProtocolId);
  const auto under_link = [&](RunId id, EvaluationId link) -> std::optional<VectorEvaluation> {
    find.bind(link);
    return find.step() ? current_vectors(db, id, find.id<ProtocolId>(0)) : std::nullopt;
  };
  std::vector<EvaluationId> found;
  for (std::size_t seed = 0; seed < run.link.size(); ++seed) {
    const auto own = under_link(run.id, run.link[seed]);
    const auto first = under_link(what.runs.front().id, what.runs.front().link[seed]);
    if (!own || !first) return {};
    const std::string name = fmt::format("{} of {}/{}", definition(metric).name, what.lens.dataset_name, run.name);
    if (!own->changed.empty() || own->embedder != first->embedder) {
      throw Error(Code::kUsage,
                  own->changed.empty()
                      ? fmt::format("{} uses the vectors of {}, not of {}", name, own->embedder, first->embedder)
                      : fmt::format("{} is not up to date: {}", name, own->changed),
                  fmt::format("residue eval {} --metrics {} --embedder {}", what.lens.dataset_name,
                              definition(metric).name, first->embedder));
    }
    found.push_back(own->id);
  }
  return found;
}

std::vector<EvaluationId> evaluations_of(storage::Db& db, const Comparable& what, const ComparedRun& run,
                                         MetricId metric) {
  const Tier tier = definition(metric).tier;
  if (tier == Tier::kTask) return answers_about(db, what, run, metric);
  if (metric == MetricId::kLexicalDistance) return lexical_baselines(db, what, run);
  if (tier == Tier::kVector) return vectors_of(db, what, run, metric);
  if (tier == Tier::kOutside) return {};
  if (tier == Tier::kLink) return run.link;
  if (tier == Tier::kJudge) return run.judge;
  const std::optional<EvaluationId>& one = tier == Tier::kLabel ? run.label : run.text;
  return one ? std::vector{*one} : std::vector<EvaluationId>();
}

MetricDelta value_of_whole(storage::Db& db, const Comparable& what, std::size_t run, MetricId metric,
                           std::string_view cut, MissingPolicy missing) {
  const auto baseline = evaluations_of(db, what, what.runs.front(), metric);
  return value_delta(db, {baseline, evaluations_of(db, what, what.runs[run], metric)}, metric, cut, missing);
}

Lists load_lists(storage::Db& db, const Comparable& what, const ComparedRun& run, MetricId metric,
                 std::string_view cut) {
  Lists lists;
  for (const EvaluationId id : evaluations_of(db, what, run, metric)) {
    lists.push_back(load_scored(db, id, source_of(metric), cut));
  }
  return lists;
}

bool any_rows(const Lists& lists) {
  return std::any_of(lists.begin(), lists.end(), [](const auto& list) { return !list.empty(); });
}

// Everything of one metric or part, of all runs.
struct Loaded {
  MetricId metric;
  std::string cut;
  std::vector<Lists> runs;  // the baseline first
  std::optional<std::vector<RecordId>> only;
};

Loaded load_one(storage::Db& db, const Comparable& what, const CompareOptions& options, MetricId metric,
                const std::string& cut) {
  Loaded loaded{metric, cut, {}, std::nullopt};
  for (const ComparedRun& run : what.runs) loaded.runs.push_back(load_lists(db, what, run, metric, cut));
  if (!options.runs.common) return loaded;
  Lists flat;
  for (const Lists& lists : loaded.runs) flat.insert(flat.end(), lists.begin(), lists.end());
  loaded.only = common_records(flat, options.missing);
  return loaded;
}

std::vector<Loaded> load_parts(storage::Db& db, const Comparable& what, const CompareOptions& options,
                               MetricId metric) {
  std::set<std::string> cuts;
  for (const ComparedRun& run : what.runs) {
    for (const EvaluationId id : evaluations_of(db, what, run, metric)) {
      for (std::string& name : cuts_of(db, id, metric)) cuts.insert(std::move(name));
    }
  }
  std::vector<Loaded> parts;
  for (const std::string& cut : cuts) parts.push_back(load_one(db, what, options, metric, cut));
  return parts;
}

struct LoadedMetrics {
  std::vector<Loaded> whole, parts;
};

LoadedMetrics load_metrics(storage::Db& db, const Comparable& what, const CompareOptions& options,
                           const std::vector<MetricId>& wanted) {
  LoadedMetrics all;
  for (const MetricId metric : wanted) {
    if (definition(metric).tier == Tier::kOutside) {
      if (options.metrics.empty()) continue;
      throw Error(
          Code::kUsage,
          fmt::format("{} is not made of numbers of records, so runs cannot be paired by it", definition(metric).name),
          fmt::format("residue report {} shows it with its interval", options.runs.dataset));
    }
    if (of_whole_runs(definition(metric))) continue;
    bool found = false;
    if (definition(metric).cuts != Cuts::kNone) {
      for (Loaded& part : load_parts(db, what, options, metric)) all.parts.push_back(std::move(part));
      found = !all.parts.empty();
    }
    if (definition(metric).cuts != Cuts::kOnly) {
      Loaded loaded = load_one(db, what, options, metric, {});
      found = std::any_of(loaded.runs.begin(), loaded.runs.end(), any_rows);
      if (found) all.whole.push_back(std::move(loaded));
    }
    if (found || options.metrics.empty()) continue;
    throw Error(Code::kNotFound, fmt::format("{} was computed for none of these runs", definition(metric).name),
                metric == MetricId::kLexicalDistance
                    ? fmt::format("residue eval {} --protocol {}", options.runs.dataset,
                                  lexical_baseline(what.lens.spec).name())
                    : fmt::format("residue eval {}", options.runs.dataset));
  }
  return all;
}

// The mean over the seeds of their values and of the ends of their intervals.
PairedDelta worst_of(const Loaded& loaded, std::size_t run, MissingPolicy missing) {
  const std::int64_t parts = loaded.metric == MetricId::kWorstDecile ? 10 : 20;
  PairedDelta sum;
  bool known = true;  // the intervals of all seeds
  const std::size_t seeds = std::min(loaded.runs.front().size(), loaded.runs[run].size());
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    const auto records = paired_records(loaded.runs.front()[seed], loaded.runs[run][seed], missing, loaded.only);
    const PairedDelta one = worst_delta(records, parts);
    if (!one.difference) return {};
    known = known && one.interval;
    const auto mean = [&](double before, double value) { return before + value / static_cast<double>(seeds); };
    sum.a = mean(sum.a.value_or(0), *one.a);
    sum.b = mean(sum.b.value_or(0), *one.b);
    sum.difference = mean(sum.difference.value_or(0), *one.difference);
    if (!known) continue;
    const numbers::Interval before = sum.interval.value_or(numbers::Interval{});
    sum.interval = numbers::Interval{mean(before.low, one.interval->low), mean(before.high, one.interval->high)};
  }
  if (!known) sum.interval.reset();
  return sum;
}

MetricDelta delta_of(const Loaded& loaded, std::size_t run, MissingPolicy missing) {
  const Pairing pairs = pair_records(loaded.runs.front(), loaded.runs[run], missing, loaded.only);
  MetricDelta result;
  result.metric = loaded.metric;
  result.cut = loaded.cut;
  result.records = pairs.records;
  result.units = pairs.units.size();
  result.left_out = pairs.left_out;
  result.lost_baseline = pairs.a;
  result.lost = pairs.b;
  if (definition(loaded.metric).kind == Kind::kWorst) {
    result.delta = worst_of(loaded, run, missing);
    return result;
  }
  const bool fixed_point = definition(loaded.metric).kind == Kind::kMean;
  const MetricDefinition& about = definition(loaded.metric);
  result.delta = paired_delta(pairs.units, fixed_point, {about.low, about.high});
  if (!result.delta.difference) return result;
  result.test = sign_flip_test(pairs.units, fixed_point);
  result.effect = standardized_difference(pairs.units, fixed_point);
  result.dominance = dominance(pairs.units, fixed_point);
  return result;
}

// All tests of one kind in one family: whole metrics, or parts.
void correct(std::vector<RunDelta>& runs, std::vector<MetricDelta> RunDelta::*family, Correction correction) {
  std::vector<double> p;
  std::vector<MetricDelta*> of;
  for (RunDelta& run : runs) {
    for (MetricDelta& metric : run.*family) {
      if (!metric.test) continue;
      p.push_back(metric.test->p);
      of.push_back(&metric);
    }
  }
  const std::vector<double> adjusted =
      correction == Correction::kHolm ? numbers::holm(p) : numbers::benjamini_hochberg(p);
  for (std::size_t i = 0; i < of.size(); ++i) of[i]->corrected_p = adjusted[i];
}

std::unordered_map<RecordId, std::string> keys_of(storage::Db& db, DatasetId dataset) {
  std::unordered_map<RecordId, std::string> keys;
  storage::Statement find = db.prepare(storage::sql::kRecordKeysOfDataset);
  find.bind(dataset);
  while (find.step()) keys.emplace(find.id<RecordId>(0), std::string(find.text(1)));
  return keys;
}

void add_flips(storage::Db& db, const Comparable& what, std::size_t limit, std::vector<RunDelta>& runs) {
  if (!what.lens.spec.runs().empty()) return;  // No single text shows what such an attacker learns.
  FlipInput input;
  input.keys = keys_of(db, what.lens.dataset);
  const auto leaks = [&](const ComparedRun& run) { return read_leaks(db, run.id, run.protocol, what.lens.judge); };
  const auto rates = [&](const ComparedRun& run) { return load_scored(db, run.judge.front(), MetricId::kLeakRate); };
  input.a = leaks(what.runs.front());
  input.rates_a = rates(what.runs.front());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    input.b = leaks(what.runs[i + 1]);
    input.rates_b = rates(what.runs[i + 1]);
    runs[i].flips = find_flips(input, limit);
  }
}

std::string version_of(storage::Db& db, JudgeId judge) {
  storage::Statement find = db.prepare(storage::sql::kJudgeDigest);
  return find.bind(judge).step() ? to_hex(find.text(0).substr(0, 4)) : std::string();
}

}  // namespace

std::vector<MetricId> default_metrics() {
  return {
      MetricId::kSemanticDistance, MetricId::kLeakRate,    MetricId::kFullLeakRate,  MetricId::kExposedRate,
      MetricId::kWorstDecile,      MetricId::kLinkageRate, MetricId::kExcessLeakage, MetricId::kLexicalDistanceLinked,
      MetricId::kRougeLF};
}

MetricDelta compare_metric(storage::Db& db, const Comparable& what, std::size_t run, MetricId metric,
                           std::string_view cut, MissingPolicy missing) {
  if (of_whole_runs(definition(metric))) {
    return value_of_whole(db, what, run, metric, cut, missing);
  }
  const Loaded loaded{
      metric,
      std::string(cut),
      {load_lists(db, what, what.runs.front(), metric, cut), load_lists(db, what, what.runs[run], metric, cut)},
      std::nullopt};
  return delta_of(loaded, 1, missing);
}

Compared compare_runs(storage::Store& store, const CompareOptions& options) {
  const storage::Lock held = store.hold_texts();  // labels of people are read
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  Compared result;
  result.what = find_comparable(db, options.runs);
  const Lens& lens = result.what.lens;
  result.protocol = seeds_name(lens.spec, result.what.seeds);
  result.judge_version = version_of(db, lens.judge);
  result.validation = validation_on(store, lens.judge, lens.dataset_name).text;
  result.baseline = result.what.runs.front().name;
  result.missing = options.missing;
  result.correction = options.correction;
  result.common_to_all = options.runs.common;

  const std::vector<MetricId> wanted = metrics_of(options, repeats(store, lens.dataset).any());
  const LoadedMetrics metrics = load_metrics(db, result.what, options, wanted);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, std::max(1U, options.threads));
  const std::size_t whole = metrics.whole.size();
  const std::size_t each = whole + metrics.parts.size();
  for (std::size_t i = 1; i < result.what.runs.size(); ++i) {
    result.runs.push_back({result.what.runs[i].name, std::vector<MetricDelta>(whole),
                           std::vector<MetricDelta>(metrics.parts.size()), std::nullopt});
  }
  parallel_ranges(result.runs.size() * each, 1, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const std::size_t run = i / each;
      const std::size_t at = i % each;
      const Loaded& loaded = at < whole ? metrics.whole[at] : metrics.parts[at - whole];
      MetricDelta& slot = at < whole ? result.runs[run].metrics[at] : result.runs[run].parts[at - whole];
      slot = delta_of(loaded, run + 1, options.missing);
    }
  });
  for (const MetricId metric : wanted) {
    if (!of_whole_runs(definition(metric)) || definition(metric).tier == Tier::kOutside) continue;
    for (std::size_t i = 0; i < result.runs.size(); ++i) {
      RunDelta& run = result.runs[i];
      run.metrics.push_back(
          definition(metric).tier == Tier::kCorpus
              ? corpus_delta(db, {lens.dataset_name, result.baseline, run.run}, metric, options.missing)
              : value_of_whole(db, result.what, i + 1, metric, {}, options.missing));
    }
  }
  correct(result.runs, &RunDelta::metrics, options.correction);
  correct(result.runs, &RunDelta::parts, options.correction);
  add_flips(db, result.what, options.flips, result.runs);
  return result;
}

}  // namespace residue::query
