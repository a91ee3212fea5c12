#include "query/metric/order_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace residue::query {
namespace {

Contribution distance_of(std::int64_t sum, std::int64_t claims) {
  const std::int64_t num = fixed(sum, 2 * claims);
  return {MetricId::kSemanticDistance, Outcome::kRight, State::kValue, num, 1, num};
}

Contribution lost_distance(State state) { return {MetricId::kSemanticDistance, Outcome::kNone, state, 0, 1, kOne}; }

// By definition: the weights of all records, added up.
RecordWeights records_of(const std::vector<Weighted>& distances) {
  RecordWeights counts;
  numbers::Weights weights;
  for (const auto& [c, unit] : distances) {
    if (c.state == State::kNotApplicable) continue;
    numbers::draw_weights(unit, weights);
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      counts.all[b] += weights[b];
      if (c.state == State::kValue) counts.values[b] += weights[b];
    }
  }
  return counts;
}

MetricRow worst(MetricId metric, std::int64_t parts, const std::vector<Weighted>& distances) {
  return worst_share(metric, parts, distances, records_of(distances));
}

TEST(WorstShare, WeighsTheLastRecordInPart) {
  std::vector<Weighted> distances;
  for (std::int64_t i = 0; i < 21; ++i) distances.push_back({distance_of(i, 20), static_cast<std::uint64_t>(i)});
  // 2.1 records: 0, 1/40 and a tenth of 2/40.
  EXPECT_NEAR(*worst(MetricId::kWorstDecile, 10, distances).value, (0.025 + 0.005) / 2.1, 1e-9);
  // 1.05 records: 0 and a twentieth of 1/40.
  EXPECT_NEAR(*worst(MetricId::kCvar05, 20, distances).value, 0.025 * 0.05 / 1.05, 1e-9);
}

TEST(WorstShare, PutsLostRecordsAmongTheWorst) {
  std::vector<Weighted> distances;
  for (std::uint64_t i = 0; i < 9; ++i) distances.push_back({distance_of(2, 1), i});
  distances.push_back({lost_distance(State::kFailed), 9});
  const MetricRow row = worst(MetricId::kWorstDecile, 10, distances);
  EXPECT_EQ(row.value, 0.0);
  EXPECT_EQ(row.if_private, 1.0);
  EXPECT_EQ(row.drop_value, 1.0);
  EXPECT_EQ(row.failed, 1);
}

// The mean of the first `wanted` weight of sorted (value, weight) pairs.
double mean_of_first(std::vector<std::pair<double, double>> values, double wanted) {
  std::sort(values.begin(), values.end());
  double left = wanted, sum = 0;
  for (const auto& [value, weight] : values) {
    const double taken = std::min(left, weight);
    sum += taken * value;
    left -= taken;
  }
  return sum / wanted;
}

TEST(WorstShare, ItsIntervalIsThatOfReplicatesWrittenOut) {
  std::vector<Weighted> distances;
  Aggregate aggregate(definition(MetricId::kSemanticDistance));
  for (std::int64_t i = 0; i < 300; ++i) {
    Contribution c = i % 29 == 0 ? lost_distance(State::kMissing) : distance_of((i * 7919) % 17, 17);
    if (i % 31 == 0) c.state = State::kNotApplicable;
    distances.push_back({c, static_cast<std::uint64_t>(i / 2) * 104'729});
    numbers::Weights weights;
    numbers::draw_weights(distances.back().unit, weights);
    aggregate.add(c, weights);
  }
  EXPECT_EQ(aggregate.records().all, records_of(distances).all);
  EXPECT_EQ(aggregate.records().values, records_of(distances).values);
  for (const bool with_lost : {true, false}) {
    std::vector<std::vector<std::pair<double, double>>> replicates(numbers::kReplicates);
    std::set<std::uint64_t> units;
    double records = 0;
    for (const auto& [c, unit] : distances) {
      if (c.state == State::kNotApplicable || (c.state != State::kValue && !with_lost)) continue;
      ++records;
      units.insert(unit);
      numbers::Weights weights;
      numbers::draw_weights(unit, weights);
      const double value = static_cast<double>(c.num) / static_cast<double>(kOne);
      for (std::size_t b = 0; b < numbers::kReplicates; ++b) replicates[b].emplace_back(value, weights[b]);
    }
    std::vector<double> lows, highs;
    for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
      const double phantom =
          std::floor(numbers::phantom_weights()[b] * records / static_cast<double>(units.size()) + 0.5);
      double all = phantom;
      for (const auto& [value, weight] : replicates[b]) all += weight;
      auto low = replicates[b], high = replicates[b];
      low.emplace_back(0.0, phantom);
      high.emplace_back(1.0, phantom);
      lows.push_back(mean_of_first(low, all / 20));
      highs.push_back(mean_of_first(high, all / 20));
    }
    const MetricRow row = worst_share(MetricId::kCvar05, 20, distances, aggregate.records());
    const auto interval = numbers::phantom_interval(lows, highs, with_lost ? *row.value : *row.drop_value);
    EXPECT_NEAR(with_lost ? *row.low : *row.drop_low, interval.low, 1e-9);
    EXPECT_NEAR(with_lost ? *row.high : *row.drop_high, interval.high, 1e-9);
    EXPECT_LE(interval.low, interval.high);
  }
}

TEST(Histogram, CountsTenthsOfExactDistances) {
  std::vector<Contribution> bins;
  for (const std::int64_t bin : {0, 3, 3, 9}) {
    bins.push_back({MetricId::kDistanceHistogram, Outcome::kNone, State::kValue, bin, 1, bin});
  }
  bins.push_back({MetricId::kDistanceHistogram, Outcome::kNone, State::kFailed, 0, 1, 9});
  const auto rows = histogram(MetricId::kDistanceHistogram, bins);
  ASSERT_EQ(rows.size(), 11U);
  EXPECT_EQ(rows[0].n, 4);
  EXPECT_EQ(rows[0].failed, 1);
  EXPECT_EQ(rows[1].value, 2.0) << "a lost record leaked";
  EXPECT_EQ(rows[1].drop_value, 1.0);
  EXPECT_EQ(rows[1].if_private, 1.0);
  EXPECT_EQ(rows[1].n, 1);
  EXPECT_EQ(rows[1].failed, 1);
  EXPECT_EQ(rows[4].slice.name(), "bin:3");
  EXPECT_EQ(rows[4].value, 2.0);
  EXPECT_EQ(rows[10].value, 1.0);
  EXPECT_EQ(rows[10].if_private, 2.0);
}

Contribution risk(std::int64_t persons) {
  const std::int64_t num = persons == 0 ? 0 : fixed(1, persons);
  return {MetricId::kMeanRisk, Outcome::kNone, State::kValue, num, 1, num};
}

TEST(Greatest, IsThatOfOneRecord) {
  const MetricRow row = greatest(MetricId::kMaxRisk, {{risk(4), 1}, {risk(2), 2}, {risk(0), 3}});
  EXPECT_EQ(row.value, 0.5);
  EXPECT_EQ(row.low, 0.5);
  EXPECT_EQ(row.high, 1.0);
  EXPECT_EQ(row.n, 3);
  EXPECT_EQ(greatest(MetricId::kMaxRisk, {{risk(0), 1}}).value, 0.0);
  EXPECT_EQ(greatest(MetricId::kMaxRisk, {}).value, std::nullopt);
}

TEST(Greatest, CountsLostRecordsAsTheWorst) {
  const Contribution lost{MetricId::kMeanRisk, Outcome::kNone, State::kFailed, kOne, 1, 0};
  const Contribution none{MetricId::kMeanRisk, Outcome::kNone, State::kNotApplicable, 0, 0, 0};
  const MetricRow row = greatest(MetricId::kMaxRisk, {{risk(4), 1}, {lost, 2}, {none, 3}});
  EXPECT_EQ(row.value, 1.0);
  EXPECT_EQ(row.if_leaked, 1.0);
  EXPECT_EQ(row.if_private, 0.25);
  EXPECT_EQ(row.drop_value, 0.25);
  EXPECT_EQ(row.failed, 1);
  EXPECT_EQ(row.not_applicable, 1);
}

}  // namespace
}  // namespace residue::query
