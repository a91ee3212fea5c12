#include "query/metric/aggregate.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "query/score/scores.h"

namespace residue::query {
namespace {

numbers::Weights ones() {
  numbers::Weights weights;
  weights.fill(1);
  return weights;
}

numbers::Weights weights_of(std::uint64_t unit) {
  numbers::Weights weights;
  numbers::draw_weights(unit, weights);
  return weights;
}

Contribution distance_of(std::int64_t sum, std::int64_t claims) {
  const std::int64_t num = fixed(sum, 2 * claims);
  return {MetricId::kSemanticDistance, Outcome::kRight, State::kValue, num, 1, num};
}

Contribution lost_distance(State state) { return {MetricId::kSemanticDistance, Outcome::kNone, state, 0, 1, kOne}; }

// Worked by hand: per-record distances 0.5, 1, failed, not linked.
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

// An interval by definition: replicates with a phantom of the mean number of units, at either end of the range.
numbers::Interval by_definition(const std::vector<std::pair<Contribution, std::uint64_t>>& all, double least,
                                double greatest, double one) {
  std::vector<double> lows, highs;
  std::set<std::uint64_t> units;
  double total = 0;
  for (const auto& [c, unit] : all) {
    units.insert(unit);
    total += static_cast<double>(c.den);
  }
  numbers::Weights weights;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    double num = 0, den = 0;
    for (const auto& [c, unit] : all) {
      numbers::draw_weights(unit, weights);
      num += weights[b] * static_cast<double>(c.num) / one;
      den += weights[b] * static_cast<double>(c.den);
    }
    const double more = std::floor(numbers::phantom_weights()[b] * total / static_cast<double>(units.size()) + 0.5);
    lows.push_back((num + more * least) / (den + more));
    highs.push_back((num + more * greatest) / (den + more));
  }
  std::sort(lows.begin(), lows.end());
  std::sort(highs.begin(), highs.end());
  return {lows[24] + (lows[25] - lows[24]) * 0.975, highs[974] + (highs[975] - highs[974]) * 0.025};
}

MetricRow row_of(MetricId metric, const std::vector<std::pair<Contribution, std::uint64_t>>& all, bool independent) {
  Aggregate aggregate(definition(metric));
  Clusters clusters;
  numbers::Weights weights;
  for (const auto& [c, unit] : all) {
    numbers::draw_weights(unit, weights);
    aggregate.add(c, weights);
    clusters.add(c, unit);
  }
  return aggregate.finish(independent, [&]() -> const Clusters& { return clusters; }).front();
}

TEST(Aggregate, ItsIntervalIsThatOfReplicatesWithAPhantom) {
  struct Case {
    MetricId metric;
    double least, greatest;
  };
  for (const Case& one : {Case{MetricId::kSemanticDistance, 0, 1}, Case{MetricId::kLeakRate, 0, 1},
                          Case{MetricId::kExposedRate, 0, 1}, Case{MetricId::kExcessLeakage, -1, 1}}) {
    SCOPED_TRACE(definition(one.metric).name);
    const Kind kind = definition(one.metric).kind;
    std::vector<std::pair<Contribution, std::uint64_t>> all;
    for (std::int64_t i = 0; i < 30; ++i) {
      const std::int64_t den = kind == Kind::kPooled ? 1 + i % 5 : 1;
      const std::int64_t num = kind == Kind::kMean    ? fixed(i % 7, 6 + i % 2)
                               : kind == Kind::kShare ? i % 2
                                                      : i % 2 * den;
      all.push_back({{one.metric, Outcome::kRight, State::kValue, num, den, num}, static_cast<std::uint64_t>(i / 3)});
    }
    const MetricRow row = row_of(one.metric, all, false);
    const auto expected =
        by_definition(all, one.least, one.greatest, kind == Kind::kMean ? static_cast<double>(kOne) : 1);
    EXPECT_NEAR(*row.low, expected.low, 1e-9);
    EXPECT_NEAR(*row.high, expected.high, 1e-9);
  }
}

// Audit A6: two records at distance 1 had [1, 1], and passed every gate.
TEST(Aggregate, NeverHasAnIntervalWithoutWidth) {
  for (const MetricId metric : {MetricId::kSemanticDistance, MetricId::kLeakRate, MetricId::kExposedRate}) {
    for (const std::size_t records : {1U, 2U, 20U}) {
      for (const bool greatest : {false, true}) {
        SCOPED_TRACE(definition(metric).name);
        std::vector<std::pair<Contribution, std::uint64_t>> all;
        const std::int64_t den = metric == MetricId::kLeakRate ? 3 : 1;
        const std::int64_t num = !greatest ? 0 : metric == MetricId::kSemanticDistance ? kOne : den;
        for (std::uint64_t i = 0; i < records; ++i) {
          all.push_back({{metric, Outcome::kRight, State::kValue, num, den, num}, i});
        }
        const MetricRow row = row_of(metric, all, false);
        EXPECT_EQ(greatest ? row.high : row.low, greatest ? 1.0 : 0.0);
        // At n = 20 about the 97.5th percentile of Beta(1, 20), 0.168.
        EXPECT_GT(*row.high - *row.low, records == 20 ? 0.12 : 0.5);
        EXPECT_LT(*row.high - *row.low, records == 20 ? 0.22 : 1.0);
      }
    }
  }
}

// Three records of one person say less than three persons do.
TEST(Aggregate, CountsPersonsForThePhantom) {
  std::vector<std::pair<Contribution, std::uint64_t>> one_person, three;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const Contribution c = distance_of(2, 1);
    one_person.push_back({c, 7});
    three.push_back({c, i});
  }
  EXPECT_LT(*row_of(MetricId::kSemanticDistance, one_person, false).low,
            *row_of(MetricId::kSemanticDistance, three, false).low);
}

// Audit A1: forty records, claims for four of them.
TEST(Aggregate, GivesUnknownUnitsTheMeanAndBoundsThemByTheMost) {
  std::vector<std::pair<Contribution, std::uint64_t>> all;
  const auto leaks = [&](State state, std::int64_t num, std::int64_t den) {
    all.push_back({{MetricId::kLeakRate, Outcome::kNone, state, num, den, 0}, all.size()});
  };
  leaks(State::kValue, 1, 2);
  leaks(State::kValue, 0, 5);
  leaks(State::kFailed, 2, 2);   // known units
  leaks(State::kMissing, 0, 0);  // unknown ones: 9 / 3 = 3 in the value, 5 in the bounds
  leaks(State::kMissing, 0, 0);
  all[0].first.best = 1;
  const MetricRow row = row_of(MetricId::kLeakRate, all, true);
  EXPECT_DOUBLE_EQ(*row.value, (1 + 2 + 2 * 3) / (9.0 + 2 * 3));
  EXPECT_DOUBLE_EQ(*row.if_leaked, (1 + 2 + 2 * 5) / (9.0 + 2 * 5));
  EXPECT_DOUBLE_EQ(*row.if_private, 1 / (9.0 + 2 * 5) + 0);
  EXPECT_DOUBLE_EQ(*row.drop_value, 1.0 / 7);
  EXPECT_EQ(row.units, 15);
  EXPECT_GE(*row.high, *row.value);
  EXPECT_LE(*row.low, *row.value);
  EXPECT_EQ(coverage_of(definition(row.metric), 2, 1, 2, 0), 0.4);
}

// Three labels, of which one was never decided: it alone is left out.
TEST(Aggregate, LeavesOutSingleUnitsThatAreNotDecided) {
  const MetricDefinition& metric = definition(MetricId::kAttributeAccuracy);
  Aggregate aggregate(metric);
  const auto put = [&](State state, std::int64_t worst, std::int64_t of, std::int64_t best, std::uint64_t unit) {
    const Contribution one{metric.id, Outcome::kNone, state, worst, of, best, {}};
    aggregate.add(one, weights_of(unit));
    return one;
  };
  put(State::kMissing, 2, 3, 1, 1);
  put(State::kValue, 0, 2, 0, 2);
  const MetricRow row = aggregate.finish(true).front();
  EXPECT_DOUBLE_EQ(*row.value, 2.0 / 5);
  EXPECT_DOUBLE_EQ(*row.if_private, 1.0 / 5);
  EXPECT_DOUBLE_EQ(*row.drop_value, 1.0 / 4);
  EXPECT_EQ(row.drop_units, 4);
  EXPECT_EQ(row.missing, 1);
  const Contribution gone = put(State::kFailed, 3, 3, 0, 3);
  EXPECT_DOUBLE_EQ(*aggregate.finish(true).front().drop_value, 1.0 / 4) << "nothing of it is decided";
  aggregate.remove(gone, weights_of(3));
  EXPECT_DOUBLE_EQ(*aggregate.finish(true).front().value, 2.0 / 5);
}

TEST(Aggregate, CountsEveryRecordAsLeakedWhereNobodyHasUnits) {
  const std::vector<std::pair<Contribution, std::uint64_t>> all = {
      {{MetricId::kLeakRate, Outcome::kNone, State::kMissing, 0, 0, 0}, 1}};
  const MetricRow row = row_of(MetricId::kLeakRate, all, true);
  EXPECT_EQ(row.value, 1.0);
  EXPECT_EQ(row.if_private, 0.0);
  EXPECT_FALSE(row.drop_value);
}

TEST(Aggregate, LendsAPartTheUnknownRecordsOfTheWhole) {
  Aggregate whole(definition(MetricId::kLeakRate)), part(definition(MetricId::kLeakByCategory));
  numbers::Weights weights;
  for (std::uint64_t i = 0; i < 3; ++i) {
    numbers::draw_weights(i, weights);
    const bool known = i < 2;
    whole.add({MetricId::kLeakRate, Outcome::kNone, known ? State::kValue : State::kMissing, 0, known ? 4 : 0, 0},
              weights);
    if (i == 0) part.add({MetricId::kLeakByCategory, Outcome::kNone, State::kValue, 0, 2, 0, "Age"}, weights);
  }
  const MetricRow row = part.finish(true, {}, {&whole}).front();
  EXPECT_EQ(row.n, 1);
  EXPECT_EQ(row.missing, 1);
  EXPECT_DOUBLE_EQ(*row.value, 1.0 / 3);  // two units of two known records: one more, which leaked
}

TEST(Coverage, LeavesOutOnlyWhatHasNoSuchLabel) {
  EXPECT_EQ(coverage_of(definition(MetricId::kSemanticDistance), 4, 0, 0, 36), 0.1);  // too few claims, no text
  EXPECT_EQ(coverage_of(definition(MetricId::kTokenRecall), 4, 0, 0, 36), 1.0);       // no gold spans
  EXPECT_EQ(coverage_of(definition(MetricId::kTokenRecall), 0, 0, 0, 36), std::nullopt);
}

TEST(Clusters, CountThoseThatAreCounted) {
  Clusters clusters;
  const auto put = [&](std::uint64_t unit, Outcome outcome, State state, std::int64_t den) {
    clusters.add({MetricId::kLeakRate, outcome, state, den, den, 0}, unit);
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
  put(5, Outcome::kNone, State::kMissing, 0);  // of units that nobody knows
  EXPECT_EQ(clusters.count(Outcome::kNone, true), 3);
  EXPECT_EQ(clusters.most(), 2);
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
                         *rc::gen::inRange<std::int64_t>(0, 3) == 0 ? 0 : *rc::gen::inRange<std::int64_t>(20, 30),
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
