// ScoreStore's second half: from sums to metric rows.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "query/metric/order_statistics.h"
#include "query/score/task_scores.h"
#include "query/stored/score_store.h"
#include "query/stored/stored_scores.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/metric_history.h"
#include "storage/catalog/results/metric_reason.h"
#include "storage/catalog/results/scored.h"

namespace residue::query {
namespace {

using storage::Statement;

std::int64_t number(MetricId metric) { return static_cast<std::int64_t>(metric); }

// What is computed only where its users brought more than records and runs. Without that it has no row.
bool needs_more(MetricId metric) {
  return metric == MetricId::kSentimentAccuracy || definition(metric).tier == Tier::kLabel;
}

bool of_absent_attack(MetricId metric) {
  return (metric >= MetricId::kLeakRateAbsent && metric <= MetricId::kNetLeakage) ||
         metric == MetricId::kAbsentLeftOut || metric == MetricId::kLeakRateGainChance ||
         metric == MetricId::kFullLeakRateGainChance;
}

// Where nobody was asked about what attackers know beforehand, in any record, there is no number of it: only its
// bounds.
void leave_unmeasured(std::vector<MetricRow>& rows) {
  const auto of_known = [](const MetricRow& row) {
    return row.metric == MetricId::kAuxOverlap || row.metric == MetricId::kExcessLeakage;
  };
  const bool measured = std::any_of(rows.begin(), rows.end(), [](const MetricRow& row) {
    return row.metric == MetricId::kAuxOverlap && row.n + row.failed > 0;
  });
  for (MetricRow& row : rows) {
    if (!measured && of_known(row)) row.value = row.low = row.high = std::nullopt;
  }
}

}  // namespace

// One pass over all scores, when the first metric asks. Where records are the units, only pooled rates ask.
const Clusters& ScoreStore::clusters_of(const Aggregate& aggregate) {
  if (!clusters_read_) {
    clusters_read_ = true;
    Statement rows = store_.db().prepare(storage::sql::kScoredScoresOfEvaluation);
    rows.bind(id_);
    while (rows.step()) {
      const auto unit = static_cast<std::uint64_t>(rows.integer(0));
      each_summed(rows.text(1), [&](const Aggregate& sums, const Contribution& c) {
        if (!independent_ || counts_units(sums.metric().kind)) clusters_[&sums].add(c, unit);
      });
    }
  }
  return clusters_[&aggregate];
}

std::vector<MetricRow> ScoreStore::all_rows(bool independent) {
  clusters_read_ = false;
  independent_ = independent;
  clusters_.clear();
  const auto clusters = [this](const Aggregate& aggregate) {
    return [this, &aggregate]() -> const Clusters& { return clusters_of(aggregate); };
  };
  std::vector<MetricRow> rows;
  for (const auto& [part, aggregate] : aggregates_) {
    if (!part.second.empty() && no_records(aggregate)) continue;  // a cut that nothing belongs to any more
    // Only rouge-l attackers have this metric.
    if (part.first == MetricId::kLexicalDistance && no_records(aggregate)) continue;
    if (of_absent_attack(part.first) && no_records(aggregate)) continue;  // it was not made
    const auto rate = whole_of(part.first);
    Whole whole;
    if (rate) {
      whole.aggregate = &aggregates_.at({*rate, ""});
      whole.clusters = clusters(*whole.aggregate);
      whole.of_claims = of_absent_attack(part.first);
    }
    for (MetricRow& row : aggregate.finish(independent, clusters(aggregate), whole)) {
      if (needs_more(row.metric) && row.n + row.failed + row.missing == 0) continue;
      if (!part.second.empty()) row.slice = Slice::Cut{part.second};
      rows.push_back(std::move(row));
    }
  }
  if (tier_ == Tier::kLabel) {
    const Aggregate& recall = aggregates_.at({MetricId::kTokenRecall, ""});
    const Aggregate& precision = aggregates_.at({MetricId::kTokenPrecision, ""});
    MetricRow row = recall.harmonic(precision, MetricId::kTokenF1, clusters(recall), clusters(precision));
    if (row.n + row.failed + row.missing > 0) rows.push_back(std::move(row));
  }
  if (tier_ == Tier::kTask) add_answered(rows);
  if (tier_ == Tier::kLink) {
    rows.push_back(greatest(MetricId::kMaxRisk, weighted_scores(store_.db(), id_, MetricId::kMeanRisk)));
  }
  if (tier_ != Tier::kJudge) return rows;
  leave_unmeasured(rows);

  const std::vector<Weighted> distances = weighted_scores(store_.db(), id_, MetricId::kSemanticDistance);
  std::vector<Contribution> bins;
  for (Weighted& one : weighted_scores(store_.db(), id_, MetricId::kDistanceHistogram)) {
    bins.push_back(std::move(one.contribution));
  }
  const RecordWeights records = aggregates_.at({MetricId::kSemanticDistance, ""}).records();
  rows.push_back(worst_share(MetricId::kWorstDecile, 10, distances, records));
  rows.push_back(worst_share(MetricId::kCvar05, 20, distances, records));
  for (MetricRow& row : histogram(MetricId::kDistanceHistogram, bins)) rows.push_back(std::move(row));
  return rows;
}

// An evaluation of answers is of one task: the metrics of the others have no records.
void ScoreStore::add_answered(std::vector<MetricRow>& rows) {
  std::erase_if(rows, [](const MetricRow& row) { return row.n + row.failed + row.missing + row.not_applicable == 0; });
  const std::vector<Weighted> categories = weighted_scores(store_.db(), id_, MetricId::kCategoryPreservation);
  if (!categories.empty()) rows.push_back(category_row(categories));
}

void ScoreStore::store_rows(storage::Db& db, const std::vector<MetricRow>& rows) {
  db.prepare(storage::sql::kDeleteMetricsOfEvaluation).run(id_);
  db.prepare(storage::sql::kDeleteMetricReasonsOfEvaluation).run(id_);
  MetricWriter writer(db, id_);
  Statement last = db.prepare(storage::sql::kMetricHistoryLatest);
  for (const MetricRow& row : rows) {
    writer.put(row);
    if (!row.slice.all()) continue;
    if (!row.reason.empty()) writer.explain(row.metric, row.reason);
    last.bind(id_, number(row.metric));
    if (last.step()) {
      const auto value = last.is_null(0) ? std::nullopt : std::optional(last.real(0));
      const bool same = value == row.value && last.integer(1) == row.n && last.integer(2) == row.failed &&
                        last.integer(3) == row.missing;
      last.reset();
      if (same) continue;
    }
    writer.remember(row);
  }
}

}  // namespace residue::query
