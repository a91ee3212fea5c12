#include "verbs/release/proof.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/ids.h"
#include "query/metric/metrics.h"
#include "query/metric/order_statistics.h"
#include "query/report/judged_run.h"
#include "query/report/report_values.h"
#include "query/stored/stored_scores.h"
#include "storage/catalog/sources/run.h"

namespace residue::verbs {
namespace {

using query::MetricId;
using query::Tier;

bool of_attack(Tier tier) { return tier == Tier::kLink || tier == Tier::kJudge; }

ProvenTier tier_of(storage::Db& db, const query::ReportRun& run, EvaluationId evaluation, Tier tier) {
  std::vector<MetricId> wanted;
  std::ranges::copy_if(proven_metrics(), std::back_inserter(wanted), [&](MetricId metric) {
    return query::definition(metric).tier == tier && query::metric_of(run, metric) != nullptr;
  });
  auto scores = query::weighted_scores(db, evaluation, wanted);
  ProvenTier proven;
  for (const MetricId metric : wanted) {
    // The order of the records would tell whose rows they are to whoever knows it.
    std::ranges::sort(scores[metric], {}, [](const query::Weighted& score) {
      const query::Contribution& c = score.contribution;
      return std::tuple(score.unit, c.state, c.num, c.den, c.best);
    });
    ProvenMetric one{metric, {}};
    std::vector<std::uint64_t> units;
    for (auto& [contribution, unit] : scores[metric]) {
      one.contributions.push_back(std::move(contribution));
      units.push_back(unit);
    }
    if (proven.metrics.empty()) proven.units = units;
    // A metric that only some of the records have is of other units: it is left out rather than told wrongly.
    if (units == proven.units && !units.empty()) proven.metrics.push_back(std::move(one));
  }
  return proven;
}

}  // namespace

const std::vector<MetricId>& proven_metrics() {
  static const std::vector<MetricId> kProven = {
      MetricId::kSemanticDistance,   MetricId::kLeakRate,         MetricId::kFullLeakRate,
      MetricId::kExposedRate,        MetricId::kLinkageRate,      MetricId::kLinkageRatePerson,
      MetricId::kMeanRisk,           MetricId::kLeakRateAbsent,   MetricId::kFullLeakRateAbsent,
      MetricId::kLeakRateNet,        MetricId::kFullLeakRateNet,  MetricId::kLeakRateGain,
      MetricId::kLeakRateGainChance, MetricId::kFullLeakRateGain, MetricId::kFullLeakRateGainChance,
      MetricId::kNetLeakage,         MetricId::kRougeLF};
  return kProven;
}

Proof proof_of(storage::Store& store, const query::Report& report) {
  storage::Db& db = store.db();
  const query::Lens lens = query::find_lens(db, report.dataset, report.spec.name(), report.judge);
  Proof proof;
  for (const query::ReportRun& run : report.runs) {
    RunProof& of = proof.runs.emplace_back();
    of.run = run.run;
    storage::Statement find = db.prepare(storage::sql::kRunByNameWithKind);
    if (!run.evaluated || !find.bind(lens.dataset, run.run).step()) continue;
    for (const Tier tier : {Tier::kText, Tier::kLink, Tier::kJudge}) {
      if (report.seeds > 1 && of_attack(tier)) continue;
      const auto evaluation = query::evaluation_of(db, lens, find.id<RunId>(0), tier);
      if (!evaluation) continue;
      ProvenTier proven = tier_of(db, run, *evaluation, tier);
      // Tier text is of all records, whatever the attack is of; but for a synthetic run, whose texts are no records.
      if (tier == Tier::kText && find.text(1) != "synthetic") {
        proof.independent = std::ranges::adjacent_find(proven.units) == proven.units.end();
      }
      if (!proven.metrics.empty()) of.tiers.push_back(std::move(proven));
    }
  }
  return proof;
}

}  // namespace residue::verbs
