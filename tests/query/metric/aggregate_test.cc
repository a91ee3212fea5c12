#include "query/metric/aggregate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "query/score/scores.h"

namespace residue::query {
namespace {

numbers::Weights ones() {
  numbers::Weights weights;
  weights.fill(1);
  return weights;
}

Contribution distance_of(std::int64_t sum, std::int64_t claims) {
  const std::int64_t num = fixed(sum, 2 * claims);
  return {MetricId::kSemanticDistance, Outcome::kRight, State::kValue, num, 1, num};
}

Contribution lost_distance(State state) { return {MetricId::kSemanticDistance, Outcome::kNone, state, 0, 1, kOne}; }

// By definition: every record's weight, as often as each replicate has it.
RecordCounts records_of(const std::vector<Weighted>& distances) {
  RecordCounts counts;
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

MetricRow worst(MetricId metric, double share, const std::vector<Weighted>& distances) {
  return worst_share(metric, share, distances, records_of(distances));
}

// METRICS section 7, example 2: per-record distances 0.5, 1, failed, not linked.
TEST(Aggregate, CountsFailedAsLeakedAndShowsTheBounds) {
  Aggregate aggregate(definition(MetricId::kSemanticDistance));
  aggregate.add(distance_of(1, 1), ones());
  aggregate.add(distance_of(2, 1), ones());
  aggregate.add(lost_distance(State::kFailed), ones());
  Contribution not_linked = distance_of(2, 1);
  not_linked.slice = Outcome::kNotLinked;
  aggregate.add(not_linked, ones());
  const MetricRow row = aggregate.finish(true)[0];
  EXPECT_EQ(row.value, 0.625);
  EXPECT_EQ(row.if_leaked, 0.625);
  EXPECT_EQ(row.if_private, 0.875);
  EXPECT_NEAR(*row.drop_value, 0.8333, 0.00004);
  EXPECT_EQ(row.n, 3);
  EXPECT_EQ(row.failed, 1);
  EXPECT_EQ(row.missing, 0);
}

TEST(Aggregate, SplitsByWhatTheAttackFound) {
  Aggregate aggregate(definition(MetricId::kSemanticDistance));
  aggregate.add(distance_of(0, 1), ones());
  Contribution wrong = distance_of(2, 1);
  wrong.slice = Outcome::kWrong;
  aggregate.add(wrong, ones());
  const auto rows = aggregate.finish(true);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].value, 0.5);
  EXPECT_EQ(rows[1].slice.name(), "right");
  EXPECT_EQ(rows[1].value, 0.0);
  EXPECT_EQ(rows[2].slice.name(), "wrong");
  EXPECT_EQ(rows[2].value, 1.0);
  EXPECT_EQ(rows[3].slice.name(), "not_linked");
  EXPECT_FALSE(rows[3].value.has_value());
}

TEST(Aggregate, HasNoValueWithoutRecords) {
  Aggregate aggregate(definition(MetricId::kLeakRate));
  aggregate.add({MetricId::kLeakRate, Outcome::kNone, State::kNotApplicable, 0, 0, 0}, ones());
  const MetricRow row = aggregate.finish(true)[0];
  EXPECT_FALSE(row.value.has_value());
  EXPECT_FALSE(row.low.has_value());
  EXPECT_EQ(row.not_applicable, 1);
}

TEST(Aggregate, ShowsNoIntervalOfOneRecordDrawnAgainAndAgain) {
  Aggregate leaks(definition(MetricId::kLeakRate));
  leaks.add({MetricId::kLeakRate, Outcome::kRight, State::kValue, 2, 3, 2}, ones());
  EXPECT_EQ(leaks.finish(true)[0].value, 2.0 / 3);
  EXPECT_FALSE(leaks.finish(true)[0].low);
  EXPECT_FALSE(leaks.finish(true)[0].drop_high);
  leaks.add({MetricId::kLeakRate, Outcome::kNone, State::kFailed, 1, 1, 0}, ones());
  EXPECT_TRUE(leaks.finish(true)[0].low);
  EXPECT_FALSE(leaks.finish(true)[0].drop_low);  // where the lost one is left out it is one again
  EXPECT_FALSE(leaks.harmonic(leaks, MetricId::kTokenF1).drop_low);
  Weighted one;
  one.contribution = distance_of(1, 1);
  EXPECT_FALSE(worst(MetricId::kWorstDecile, 0.1, {one}).low);
  Aggregate share(definition(MetricId::kLinkageRate));  // Wilson's says how little one record says
  share.add({MetricId::kLinkageRate, Outcome::kNone, State::kValue, 1, 1, 1}, ones());
  EXPECT_TRUE(share.finish(true)[0].low);
}

Aggregate agreeing(MetricId metric, std::span<const std::uint64_t> units, std::int64_t num, std::int64_t den,
                   Clusters& clusters) {
  Aggregate aggregate(definition(metric));
  numbers::Weights weights;
  for (const std::uint64_t unit : units) {
    numbers::draw_weights(unit, weights);
    const Contribution one{metric, Outcome::kRight, State::kValue, num, den, num};
    aggregate.add(one, weights);
    clusters.add(one, unit);
  }
  return aggregate;
}

// Twenty records of nineteen persons, nobody exposed: z^2 / (19 + z^2), z^2 = 3.841459.
TEST(Aggregate, SaysWhatPersonsWhoAllAgreeLeaveOpen) {
  std::vector<std::uint64_t> units;
  for (std::uint64_t i = 0; i < 20; ++i) units.push_back(i % 19);
  for (const MetricId metric : {MetricId::kExposedRate, MetricId::kLeakRate}) {
    Clusters clusters;
    const Aggregate aggregate = agreeing(metric, units, 0, metric == MetricId::kLeakRate ? 3 : 1, clusters);
    const MetricRow row = aggregate.finish(false, [&]() -> const Clusters& { return clusters; })[0];
    EXPECT_EQ(row.low, 0.0);
    EXPECT_NEAR(*row.high, 0.168180, 1e-6);
    EXPECT_EQ(row.drop_high, row.high);
  }
  Clusters clusters;
  const Aggregate leaked = agreeing(MetricId::kLeakRate, units, 3, 3, clusters);
  const auto rows = leaked.finish(false, [&]() -> const Clusters& { return clusters; });
  EXPECT_NEAR(*rows[0].low, 0.831820, 1e-6);
  EXPECT_EQ(rows[0].high, 1.0);
  EXPECT_EQ(definition(MetricId::kLeakRate).split, rows.size() > 1);
  // Without persons each record is one: z^2 / (20 + z^2).
  EXPECT_NEAR(*agreeing(MetricId::kLeakRate, units, 0, 3, clusters).finish(true)[0].high, 0.161125, 1e-6);
}

TEST(Aggregate, ShowsNoIntervalOfOnePerson) {
  const std::vector<std::uint64_t> units{7, 7, 7};
  for (const MetricId metric : {MetricId::kSemanticDistance, MetricId::kLeakRate, MetricId::kExposedRate}) {
    Clusters clusters;
    const Aggregate aggregate =
        agreeing(metric, units, metric == MetricId::kSemanticDistance ? kOne / 3 : 0, 1, clusters);
    const MetricRow row = aggregate.finish(false, [&]() -> const Clusters& { return clusters; })[0];
    EXPECT_TRUE(row.value);
    EXPECT_FALSE(row.low);
    EXPECT_FALSE(row.drop_high);
  }
  std::vector<Weighted> same(3);
  for (Weighted& one : same) one = {distance_of(1, 1), 7};
  EXPECT_FALSE(worst(MetricId::kWorstDecile, 0.1, same).low);
  same[0].unit = 8;
  EXPECT_TRUE(worst(MetricId::kWorstDecile, 0.1, same).low);
}

TEST(Clusters, CountThoseThatAreCounted) {
  Clusters clusters;
  const auto put = [&](std::uint64_t unit, Outcome outcome, State state, std::int64_t den) {
    clusters.add({MetricId::kLeakRate, outcome, state, 0, den, 0}, unit);
  };
  put(1, Outcome::kRight, State::kValue, 2);
  put(1, Outcome::kWrong, State::kValue, 2);
  put(2, Outcome::kWrong, State::kFailed, 2);
  put(3, Outcome::kWrong, State::kValue, 0);
  put(4, Outcome::kWrong, State::kNotApplicable, 2);
  EXPECT_EQ(clusters.count(Outcome::kNone, true), 2);
  EXPECT_EQ(clusters.count(Outcome::kNone, false), 1);
  EXPECT_EQ(clusters.count(Outcome::kWrong, true), 2);
  EXPECT_EQ(clusters.count(Outcome::kRight, true), 1);
}

TEST(Aggregate, UsesWilsonForSharesOfIndependentRecordsOnly) {
  Aggregate aggregate(definition(MetricId::kLinkageRate));
  numbers::Weights weights;
  for (std::uint64_t i = 0; i < 10; ++i) {
    numbers::draw_weights(i * 7919, weights);
    aggregate.add({MetricId::kLinkageRate, Outcome::kNone, State::kValue, i < 4 ? 1 : 0, 1, i < 4 ? 1 : 0}, weights);
  }
  const numbers::Interval wilson = numbers::wilson_interval(4, 10);
  EXPECT_EQ(aggregate.finish(true)[0].low, wilson.low);
  EXPECT_NE(aggregate.finish(false)[0].low, wilson.low);
}

// The sums are exact, so any history gives the same rows as adding what is left, in any order.
RC_GTEST_PROP(Aggregate, ForgetsWhatIsRemovedBitForBit, ()) {
  struct Item {
    Contribution contribution;
    numbers::Weights weights;
  };
  const auto count = *rc::gen::inRange<std::size_t>(1, 40);
  std::vector<Item> items(count);
  for (Item& item : items) {
    item.contribution = {MetricId::kLeakRate,
                         static_cast<Outcome>(*rc::gen::inRange(0, 4)),
                         static_cast<State>(*rc::gen::inRange(0, 4)),
                         *rc::gen::inRange<std::int64_t>(0, 20),
                         *rc::gen::inRange<std::int64_t>(20, 30),
                         0};
    numbers::draw_weights(*rc::gen::arbitrary<std::uint64_t>(), item.weights);
  }
  const auto removed = *rc::gen::inRange<std::size_t>(0, count);
  Aggregate history(definition(MetricId::kLeakRate));
  for (const Item& item : items) history.add(item.contribution, item.weights);
  for (std::size_t i = 0; i < removed; ++i) history.remove(items[i].contribution, items[i].weights);

  Aggregate fresh(definition(MetricId::kLeakRate));
  for (std::size_t i = count; i-- > removed;) fresh.add(items[i].contribution, items[i].weights);
  const auto a = history.finish(false), b = fresh.finish(false);
  RC_ASSERT(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(a[i].value == b[i].value);
    RC_ASSERT(a[i].low == b[i].low);
    RC_ASSERT(a[i].high == b[i].high);
    RC_ASSERT(a[i].if_private == b[i].if_private);
    RC_ASSERT(a[i].drop_value == b[i].drop_value);
    RC_ASSERT(a[i].n == b[i].n && a[i].failed == b[i].failed && a[i].missing == b[i].missing);
  }
}

TEST(Aggregate, ComesBackFromItsBytes) {
  Aggregate aggregate(definition(MetricId::kSemanticDistance));
  numbers::Weights weights;
  for (std::uint64_t i = 0; i < 20; ++i) {
    numbers::draw_weights(i, weights);
    aggregate.add(i % 5 == 0 ? lost_distance(State::kMissing) : distance_of(static_cast<std::int64_t>(i % 3), 1),
                  weights);
  }
  Aggregate loaded(definition(MetricId::kSemanticDistance));
  for (std::size_t i = 0; i < kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    loaded.load(outcome, aggregate.sums(outcome), aggregate.replicate_bytes(outcome));
  }
  EXPECT_EQ(loaded.finish(false)[0].low, aggregate.finish(false)[0].low);
  EXPECT_EQ(loaded.finish(false)[0].high, aggregate.finish(false)[0].high);
}

TEST(Aggregate, RefusesBytesOfAnotherSize) {
  Aggregate aggregate(definition(MetricId::kSemanticDistance));
  EXPECT_ANY_THROW(aggregate.load(Outcome::kRight, Sums{}, "short"));
}

TEST(WorstShare, TakesTheCeilingOfTheShare) {
  std::vector<Weighted> distances;
  for (std::int64_t i = 0; i < 21; ++i) distances.push_back({distance_of(i, 20), static_cast<std::uint64_t>(i)});
  // ceil(0.1 * 21) = 3 records: 0, 1/40, 2/40.
  EXPECT_NEAR(*worst(MetricId::kWorstDecile, 0.10, distances).value, 0.025, 1e-9);
  // ceil(0.05 * 21) = 2 records: 0, 1/40.
  EXPECT_NEAR(*worst(MetricId::kCvar05, 0.05, distances).value, 0.0125, 1e-9);
}

TEST(WorstShare, PutsLostRecordsAmongTheWorst) {
  std::vector<Weighted> distances;
  for (std::uint64_t i = 0; i < 9; ++i) distances.push_back({distance_of(2, 1), i});
  distances.push_back({lost_distance(State::kFailed), 9});
  const MetricRow row = worst(MetricId::kWorstDecile, 0.10, distances);
  EXPECT_EQ(row.value, 0.0);
  EXPECT_EQ(row.if_private, 1.0);
  EXPECT_EQ(row.drop_value, 1.0);
  EXPECT_EQ(row.failed, 1);
}

// Every replicate written out: each record as often as its weight says, sorted, the first ceil(n / 20) of them.
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
    std::vector<std::vector<std::int64_t>> replicates(numbers::kReplicates);
    for (const auto& [c, unit] : distances) {
      if (c.state == State::kNotApplicable || (c.state != State::kValue && !with_lost)) continue;
      numbers::Weights weights;
      numbers::draw_weights(unit, weights);
      for (std::size_t b = 0; b < numbers::kReplicates; ++b)
        replicates[b].insert(replicates[b].end(), weights[b], c.num);
    }
    std::vector<double> means;
    for (auto& values : replicates) {
      std::sort(values.begin(), values.end());
      const std::size_t count = (values.size() + 19) / 20;
      const auto sum = std::accumulate(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), 0LL);
      means.push_back(static_cast<double>(sum) / static_cast<double>(count) / static_cast<double>(kOne));
    }
    const auto interval = numbers::percentile_interval(means);
    const MetricRow row = worst_share(MetricId::kCvar05, 0.05, distances, aggregate.records());
    EXPECT_EQ(with_lost ? row.low : row.drop_low, interval->low);
    EXPECT_EQ(with_lost ? row.high : row.drop_high, interval->high);
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

TEST(FixedPoint, RoundsToTheNearestUnitHalvesUp) {
  EXPECT_EQ(fixed(1, 2), kOne / 2);
  EXPECT_EQ(fixed(1, 1), kOne);
  EXPECT_EQ(fixed(0, 7), 0);
  EXPECT_EQ(fixed(1, 3), 1431655765);  // 1431655765.33
  EXPECT_EQ(fixed(2, 3), 2863311531);  // 2863311530.67
  EXPECT_EQ(fixed(-1, 3), -1431655765);
  EXPECT_EQ(fixed(-1, 1), -kOne);
  EXPECT_EQ(fixed(1, std::int64_t{1} << 33), 1);  // exactly half a unit
}

}  // namespace
}  // namespace residue::query
