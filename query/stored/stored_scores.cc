#include "query/stored/stored_scores.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "storage/catalog/results/cut.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/metric_history.h"
#include "storage/catalog/results/metric_reason.h"
#include "storage/catalog/results/score.h"
#include "storage/catalog/results/scored.h"

namespace residue::query {

using storage::Statement;

std::int64_t CutNumbers::of(storage::Db& db, const std::string& name) {
  if (name.empty()) return 0;
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  db.prepare(storage::sql::kInsertCut).run(name);
  Statement find = db.prepare(storage::sql::kCutIdByName);
  find.bind(name).step();
  return numbers_[name] = find.integer(0);
}

const std::string& CutNumbers::name(storage::Db& db, std::int64_t number) {
  const auto [place, added] = names_.try_emplace(number);
  if (!added || number == 0) return place->second;
  Statement find = db.prepare(storage::sql::kCutNameById);
  if (find.bind(number).step()) place->second = std::string(find.text(0));
  return place->second;
}

storage::PackedScore packed(const Contribution& c, std::int64_t cut) {
  return {static_cast<std::int64_t>(c.metric),
          cut,
          static_cast<std::uint8_t>(c.slice),
          static_cast<std::uint8_t>(c.state),
          c.num,
          c.den,
          c.best};
}

Contribution unpacked(const storage::PackedScore& score, std::string cut) {
  return {static_cast<MetricId>(score.metric),
          static_cast<Outcome>(score.slice),
          static_cast<State>(score.state),
          score.num,
          score.den,
          score.best,
          std::move(cut)};
}

std::vector<Weighted> weighted_scores(storage::Db& db, EvaluationId evaluation, MetricId metric) {
  Statement rows = db.prepare(storage::sql::kScoresOfWholeByRecord);
  rows.bind(evaluation, static_cast<std::int64_t>(metric));
  std::vector<Weighted> all;
  while (rows.step()) {
    all.push_back({{metric, static_cast<Outcome>(rows.integer(1)), static_cast<State>(rows.integer(2)), rows.integer(3),
                    rows.integer(4), rows.integer(5)},
                   static_cast<std::uint64_t>(rows.integer(0))});
  }
  return all;
}

std::map<MetricId, std::vector<Weighted>> weighted_scores(storage::Db& db, EvaluationId evaluation,
                                                          std::span<const MetricId> metrics) {
  Statement rows = db.prepare(storage::sql::kScoredScoresOfEvaluation);
  rows.bind(evaluation);
  std::map<MetricId, std::vector<Weighted>> all;
  storage::PackedScore score;
  while (rows.step()) {
    const auto unit = static_cast<std::uint64_t>(rows.integer(0));
    storage::ScoreReader reader(rows.text(1));
    while (reader.next(score)) {
      const auto metric = static_cast<MetricId>(score.metric);
      if (score.cut != 0 || std::ranges::find(metrics, metric) == metrics.end()) continue;
      all[metric].push_back({unpacked(score, {}), unit});
    }
  }
  return all;
}

std::optional<MetricId> whole_of(MetricId metric) {
  switch (metric) {
    case MetricId::kLeakByCategory:
    case MetricId::kLeakRateNet:
    case MetricId::kLeakRateGain:
    case MetricId::kLeakRateGainChance:
      return MetricId::kLeakRate;
    case MetricId::kFullLeakRateNet:
    case MetricId::kFullLeakRateGain:
    case MetricId::kFullLeakRateGainChance:
      return MetricId::kFullLeakRate;
    default:
      return std::nullopt;
  }
}

MetricWriter::MetricWriter(storage::Db& db, EvaluationId evaluation)
    : evaluation_(evaluation),
      at_(now_ms()),
      put_(db.prepare(storage::sql::kInsertMetric)),
      remember_(db.prepare(storage::sql::kInsertMetricHistory)),
      explain_(db.prepare(storage::sql::kInsertMetricReason)) {}

void MetricWriter::put(const MetricRow& row) {
  put_.run(evaluation_, static_cast<std::int64_t>(row.metric), row.slice.name(), row.value, row.low, row.high, row.n,
           row.failed, row.missing, row.not_applicable, row.if_leaked, row.if_private, row.drop_value, row.drop_low,
           row.drop_high, row.units, row.drop_units);
}

void MetricWriter::remember(const MetricRow& row) {
  remember_.run(evaluation_, at_, static_cast<std::int64_t>(row.metric), row.value, row.low, row.high, row.n,
                row.failed, row.missing);
}

void MetricWriter::explain(MetricId metric, const std::string& reason) {
  explain_.run(evaluation_, static_cast<std::int64_t>(metric), reason);
}

bool no_records(const Aggregate& aggregate) {
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    const Sums& sums = aggregate.sums(static_cast<Outcome>(i));
    if (sums.n + sums.failed + sums.missing + sums.not_applicable != 0) return false;
  }
  return true;
}

}  // namespace residue::query
