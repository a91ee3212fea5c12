#include "query/place/rank_rows.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "query/metric/order_statistics.h"
#include "query/place/log_ranks.h"

namespace residue::query {
namespace {

// Twice the rank: ties stand at the middle of theirs.
std::int64_t twice_rank(const LinkPlace& place) { return 2 * (std::int64_t{*place.ahead} + 1) + place.level; }

Contribution lost_or(const PlacedRecord& target, MetricId metric, std::int64_t worst, std::int64_t best) {
  if (target.state == State::kNotApplicable) return {metric, Outcome::kNone, target.state, 0, 0, 0};
  return {metric, Outcome::kNone, target.state, worst, 1, best};
}

MetricRow bits_row(std::span<const PlacedRecord> targets, std::uint32_t candidates, bool independent,
                   RecordWeights& weights_of_records) {
  constexpr MetricId kMetric = MetricId::kRankBits;
  const LogRanks logs(candidates);
  const std::int64_t most = logs.by_chance(), least = most - logs.mean(candidates, candidates);
  // A mean over records, whose range depends on how many candidates there are.
  MetricDefinition about = definition(kMetric);
  about.kind = Kind::kMean;
  about.low = static_cast<double>(least) / static_cast<double>(kOne);
  about.high = static_cast<double>(most) / static_cast<double>(kOne);
  Aggregate bits(about);
  Clusters clusters;
  numbers::Weights weights;
  for (const PlacedRecord& target : targets) {
    Contribution c = lost_or(target, kMetric, most, least);
    if (target.state == State::kValue) {
      const std::uint32_t first = *target.place.ahead + 1;
      c.num = c.best = most - logs.mean(first, first + target.place.level);
    }
    numbers::draw_weights(target.unit, weights);
    bits.add(c, weights);
    clusters.add(c, target.unit);
  }
  weights_of_records = bits.records();
  return bits.finish(independent, [&]() -> const Clusters& { return clusters; }).front();
}

}  // namespace

std::vector<MetricRow> rank_rows(std::span<const PlacedRecord> targets, std::size_t candidates, bool independent) {
  constexpr MetricId kMetric = MetricId::kAnonymityRank;
  const auto last = static_cast<std::uint32_t>(std::max<std::size_t>(1, candidates));
  RecordWeights records;
  std::vector<MetricRow> rows;
  MetricRow bits = bits_row(targets, last, independent, records);
  std::vector<Weighted> ranks;
  for (const PlacedRecord& target : targets) {
    Contribution c = lost_or(target, kMetric, 2, 2 * std::int64_t{last});
    if (target.state == State::kValue) c.num = c.best = twice_rank(target.place);
    ranks.push_back({c, target.unit});
  }
  const Ends ends{2, 2 * std::int64_t{last}, 2};
  rows.push_back(median(kMetric, ranks, records, ends));
  MetricRow tenth = worst_share(kMetric, 10, ranks, records, ends);
  tenth.slice = Slice::Cut{"least_tenth"};
  rows.push_back(tenth);
  MetricRow chance = rows.front();
  chance.slice = Slice::Cut{"chance"};
  chance.low = chance.high = chance.drop_low = chance.drop_high = std::nullopt;
  const double by_chance = (static_cast<double>(last) + 1) / 2;
  for (auto* value : {&chance.value, &chance.drop_value, &chance.if_leaked, &chance.if_private}) {
    if (*value) *value = by_chance;
  }
  rows.push_back(chance);
  rows.push_back(std::move(bits));
  return rows;
}

}  // namespace residue::query
