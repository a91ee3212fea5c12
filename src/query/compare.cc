#include "query/compare.h"

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "base/parallel_ranges.h"
#include "query/effect_size.h"
#include "query/multiple_testing.h"
#include "query/validation.h"
#include "storage/files.h"
#include "storage/lookup.h"

namespace residue::query {
namespace {

using Lists = std::vector<std::vector<ScoredRecord>>;  // by seed

bool summed(Kind kind) { return kind == Kind::kMean || kind == Kind::kShare || kind == Kind::kPooled; }

std::vector<MetricId> metrics_of(const CompareOptions& options) {
  if (options.metrics.empty()) return default_metrics();
  std::vector<MetricId> ids;
  for (const std::string& name : options.metrics) {
    const auto id = find_metric(name);
    if (!id) {
      std::vector<std::string> known;
      for (const MetricDefinition& metric : metric_definitions()) known.emplace_back(metric.name);
      throw Error(Code::kUsage, fmt::format("no metric \"{}\"{}", name, did_you_mean(name, known)),
                  "residue report --json lists all under \"definitions\"");
    }
    if (!summed(definition(*id).kind)) {
      throw Error(Code::kUsage, fmt::format("{} is no mean over records: its runs cannot be paired", name),
                  "compare semantic_distance, which it is made of");
    }
    if (std::find(ids.begin(), ids.end(), *id) == ids.end()) ids.push_back(*id);
  }
  return ids;
}

Lists load_lists(storage::Db& db, const ComparedRun& run, MetricId metric) {
  Lists lists;
  switch (definition(metric).tier) {
    case Tier::kText:
      if (run.text) lists.push_back(load_scored(db, *run.text, metric));
      break;
    case Tier::kLink:
      for (const EvaluationId id : run.link) lists.push_back(load_scored(db, id, metric));
      break;
    case Tier::kJudge:
      for (const EvaluationId id : run.judge) lists.push_back(load_scored(db, id, metric));
      break;
  }
  return lists;
}

bool any_rows(const Lists& lists) {
  return std::any_of(lists.begin(), lists.end(), [](const auto& list) { return !list.empty(); });
}

// Everything of one metric, of all runs.
struct Loaded {
  MetricId metric;
  std::vector<Lists> runs;  // the baseline first
  std::optional<std::vector<RecordId>> only;
};

std::vector<Loaded> load_metrics(storage::Db& db, const Comparable& what, const CompareOptions& options) {
  std::vector<Loaded> all;
  for (const MetricId metric : metrics_of(options)) {
    Loaded loaded{metric, {}, std::nullopt};
    for (const ComparedRun& run : what.runs) loaded.runs.push_back(load_lists(db, run, metric));
    if (std::none_of(loaded.runs.begin(), loaded.runs.end(), any_rows)) {
      if (options.metrics.empty()) continue;
      throw Error(Code::kNotFound, fmt::format("{} was computed for none of these runs", definition(metric).name),
                  fmt::format("residue eval {}", options.runs.dataset));
    }
    if (options.runs.common) {
      Lists flat;
      for (const Lists& lists : loaded.runs) flat.insert(flat.end(), lists.begin(), lists.end());
      loaded.only = common_records(flat, options.missing);
    }
    all.push_back(std::move(loaded));
  }
  return all;
}

MetricDelta delta_of(MetricId metric, const Lists& baseline, const Lists& run, MissingPolicy missing,
                     const std::optional<std::vector<RecordId>>& only) {
  const Pairing pairs = pair_records(baseline, run, missing, only);
  MetricDelta result;
  result.metric = metric;
  result.records = pairs.records;
  result.units = pairs.units.size();
  result.left_out = pairs.left_out;
  result.lost_baseline = pairs.a;
  result.lost = pairs.b;
  result.delta = paired_delta(pairs.units, definition(metric).kind == Kind::kMean);
  if (!result.delta.difference) return result;
  result.test = sign_flip_test(pairs.units);
  result.effect = standardized_difference(pairs.units);
  result.dominance = dominance(pairs.units);
  return result;
}

void correct(std::vector<RunDelta>& runs, Correction correction) {
  std::vector<double> p;
  std::vector<MetricDelta*> of;
  for (RunDelta& run : runs) {
    for (MetricDelta& metric : run.metrics) {
      if (!metric.test) continue;
      p.push_back(metric.test->p);
      of.push_back(&metric);
    }
  }
  const std::vector<double> adjusted = correction == Correction::kHolm ? holm(p) : benjamini_hochberg(p);
  for (std::size_t i = 0; i < of.size(); ++i) of[i]->corrected_p = adjusted[i];
}

std::unordered_map<RecordId, std::string> keys_of(storage::Db& db, DatasetId dataset) {
  std::unordered_map<RecordId, std::string> keys;
  storage::Statement find = db.prepare("SELECT id, key FROM record WHERE dataset_id = ?1");
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
  storage::Statement find = db.prepare("SELECT digest FROM judge WHERE id = ?1");
  return find.bind(judge).step() ? storage::to_hex(find.text(0).substr(0, 4)) : std::string();
}

}  // namespace

std::vector<MetricId> default_metrics() {
  return {MetricId::kSemanticDistance,      MetricId::kLeakRate,    MetricId::kFullLeakRate,
          MetricId::kExposedRate,           MetricId::kLinkageRate, MetricId::kExcessLeakage,
          MetricId::kLexicalDistanceLinked, MetricId::kRougeLF};
}

MetricDelta compare_metric(storage::Db& db, const Comparable& what, std::size_t run, MetricId metric,
                           MissingPolicy missing) {
  const Lists baseline = load_lists(db, what.runs.front(), metric);
  const Lists side = load_lists(db, what.runs[run], metric);
  return delta_of(metric, baseline, side, missing, std::nullopt);
}

Compared compare_runs(storage::Store& store, const CompareOptions& options) {
  storage::Db& db = store.db();
  const storage::ReadTransaction snapshot(db);
  Compared result;
  result.what = find_comparable(db, options.runs);
  const Lens& lens = result.what.lens;
  result.protocol = seeds_name(lens.spec, result.what.seeds);
  result.judge_version = version_of(db, lens.judge);
  result.validation = validation_on(db, lens.judge, lens.dataset);
  result.baseline = result.what.runs.front().name;
  result.missing = options.missing;
  result.correction = options.correction;
  result.common_to_all = options.runs.common;

  const std::vector<Loaded> metrics = load_metrics(db, result.what, options);
  const std::size_t compared = result.what.runs.size() - 1;
  for (std::size_t i = 0; i < compared; ++i) {
    result.runs.push_back({result.what.runs[i + 1].name, std::vector<MetricDelta>(metrics.size()), std::nullopt});
  }
  parallel_ranges(compared * metrics.size(), 1, [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const std::size_t run = i / metrics.size();
      const std::size_t metric = i % metrics.size();
      result.runs[run].metrics[metric] = delta_of(metrics[metric].metric, metrics[metric].runs.front(),
                                                  metrics[metric].runs[run + 1], options.missing, metrics[metric].only);
    }
  });
  correct(result.runs, options.correction);
  add_flips(db, result.what, options.flips, result.runs);
  return result;
}

}  // namespace residue::query
