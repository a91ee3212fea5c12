// Attack and absent attack on one record, by hand.
#include "query/absent/absent_scores.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "query/metric/aggregate.h"

namespace residue::query {
namespace {

using R = std::vector<std::optional<std::uint8_t>>;

RecordCase attacked() {
  RecordCase record;
  record.has_claims = record.attacked = record.linked = true;
  return record;
}

Contribution of(const std::vector<Contribution>& all, MetricId metric) {
  for (const Contribution& one : all) {
    if (one.metric == metric) return one;
  }
  ADD_FAILURE() << definition(metric).name;
  return {};
}

struct Expected {
  MetricId metric;
  State state;
  std::int64_t num, den, best;
};

void expect(const std::vector<Contribution>& all, const std::vector<Expected>& expected) {
  for (const Expected& one : expected) {
    SCOPED_TRACE(definition(one.metric).name);
    const Contribution c = of(all, one.metric);
    EXPECT_EQ(c.state, one.state);
    EXPECT_EQ(c.num, one.num);
    EXPECT_EQ(c.den, one.den);
    EXPECT_EQ(c.best, one.best);
  }
}

// Claims:          1  2  3  4
// attack rates     1  2  3  1
// others rate      3  1  3  2
// without these    3  3  1  2
TEST(AbsentScores, OfARecordWhoseClaimsAreRated) {
  const auto all = absent_scores(attacked(), 4, R{1, 2, 3, 1}, {true, R{3, 1, 3, 2}}, {true, R{3, 3, 1, 2}}, 3);
  const std::int64_t others = 3 * kOne;
  expect(all, {{MetricId::kLeakRateAbsent, State::kValue, 2, 4, 2},
               {MetricId::kFullLeakRateAbsent, State::kValue, 1, 4, 1},
               {MetricId::kLeakRateNet, State::kValue, 1, 2, 1},      // (3/4 - 2/4) / (1 - 2/4)
               {MetricId::kFullLeakRateNet, State::kValue, 1, 3, 1},  // (2/4 - 1/4) / (1 - 1/4)
               {MetricId::kLeakRateGain, State::kValue, 1, 2, 1},     // of 1 and 3, which others do not leak: 1
               {MetricId::kFullLeakRateGain, State::kValue, 2, 3, 2},
               {MetricId::kLeakRateGainChance, State::kValue, 1, 2, 1},  // of 1 and 2: 2
               {MetricId::kFullLeakRateGainChance, State::kValue, 1, 3, 1},
               {MetricId::kSemanticDistanceAbsent, State::kValue, fixed(5, 8), 1, fixed(5, 8)},
               {MetricId::kNetLeakage, State::kValue, fixed(5, 8) - fixed(3, 8), 1, fixed(5, 8) - fixed(3, 8)},
               {MetricId::kAbsentLeftOut, State::kValue, others, 1, others}});
}

TEST(AbsentScores, WhereNobodyIsFoundNothingIsSupported) {
  RecordCase record = attacked();
  expect(absent_scores(record, 2, R{1, 1}, {}, {}, 1), {{MetricId::kLeakRateGainChance, State::kValue, 0, 2, 0},
                                                        {MetricId::kLeakRateAbsent, State::kValue, 0, 2, 0},
                                                        {MetricId::kLeakRateNet, State::kValue, 2, 2, 2},
                                                        {MetricId::kNetLeakage, State::kValue, kOne, 1, kOne}});
  record.linked = false;
  expect(absent_scores(record, 2, {}, {true, R{1, 3}}, {}, 1),
         {{MetricId::kLeakRateNet, State::kValue, -1, 1, -1},
          {MetricId::kLeakRateGain, State::kValue, 0, 1, 0},
          {MetricId::kLeakRateGainChance, State::kValue, 1, 2, 1}});
}

TEST(AbsentScores, WhatIsLostLeaksInTheAttackAndNotInTheControl) {
  RecordCase record = attacked();
  record.failed = true;
  expect(absent_scores(record, 3, R{1, 1, 1}, {true, R{1, 1, 1}}, {true, R{3, 3, 1}}, 1),
         {{MetricId::kLeakRateAbsent, State::kFailed, 0, 3, 3},
          {MetricId::kLeakRateNet, State::kFailed, 3, 3, -3},
          {MetricId::kLeakRateGain, State::kFailed, 3, 3, 0},
          {MetricId::kLeakRateGainChance, State::kFailed, 0, 3, 3},
          {MetricId::kFullLeakRateGainChance, State::kFailed, 0, 3, 3},
          {MetricId::kSemanticDistanceAbsent, State::kFailed, kOne, 1, 0},
          {MetricId::kNetLeakage, State::kFailed, kOne, 1, -kOne},
          {MetricId::kAbsentLeftOut, State::kFailed, kOne, 1, kOne}});
}

TEST(AbsentScores, OneSideWithoutARatingLosesWhatIsMadeOfBoth) {
  RecordCase record = attacked();
  record.judge_failed = true;
  // The attack is known, the control is not.
  expect(absent_scores(record, 2, R{1, 3}, {true, R{1, std::nullopt}}, {true, R{1, 3}}, 1),
         {{MetricId::kLeakRateAbsent, State::kFailed, 0, 2, 2},
          {MetricId::kLeakRateNet, State::kFailed, 1, 2, -2},
          {MetricId::kLeakRateGain, State::kFailed, 1, 2, 0},
          {MetricId::kLeakRateGainChance, State::kFailed, 0, 1, 1},
          {MetricId::kNetLeakage, State::kFailed, kOne - fixed(1, 2), 1, -fixed(1, 2)}});
  // The control is known, the attack is not: as if it had leaked both.
  expect(absent_scores(record, 2, R{1, std::nullopt}, {true, R{1, 3}}, {true, R{3, 3}}, 1),
         {{MetricId::kLeakRateAbsent, State::kValue, 1, 2, 1},
          {MetricId::kLeakRateNet, State::kFailed, 1, 1, -2},
          {MetricId::kLeakRateGain, State::kFailed, 1, 1, 0},
          {MetricId::kLeakRateGainChance, State::kValue, 1, 2, 1},
          {MetricId::kNetLeakage, State::kFailed, fixed(1, 2), 1, fixed(1, 2) - kOne}});
  // Whom the absent attack's own absent attack found is not rated: it may have leaked what the second leaks, or only
  // the other claim.
  expect(absent_scores(record, 2, R{1, 3}, {true, R{1, 3}}, {true, R{3, std::nullopt}}, 1),
         {{MetricId::kLeakRateAbsent, State::kValue, 1, 2, 1},
          {MetricId::kLeakRateGain, State::kValue, 0, 1, 0},
          {MetricId::kLeakRateGainChance, State::kFailed, 0, 2, 2}});
}

TEST(AbsentScores, OfARecordThatSaysNothingAreNone) {
  RecordCase record = attacked();
  record.empty_original = true;
  for (const Contribution& one : absent_scores(record, 0, {}, {}, {}, 1)) {
    EXPECT_EQ(one.state, State::kNotApplicable);
    EXPECT_EQ(one.den, 0);
  }
}

// 4 persons of 2 claims; attack 2, 2, 1 and a lost one; control 1, 0, 0.
//   headline: (5 + 2 - 1) / (8 - 1); dropped: (5 - 1) / (6 - 1); if nothing missing leaked: (4 - 2) / (5 + 2 - 2)
TEST(AbsentScores, ANetIsOfAllUnitsTogether) {
  Aggregate rate(definition(MetricId::kLeakRate)), net(definition(MetricId::kLeakRateNet));
  Clusters clusters;
  numbers::Weights weights;
  const auto add = [&](std::uint64_t person, const RecordCase& record, const R& attack, const R& control) {
    numbers::draw_weights(person, weights);
    for (const Contribution& one : judge_scores(record, 2, attack, attack)) {
      if (one.metric == MetricId::kLeakRate) rate.add(one, weights);
    }
    const Contribution one = of(absent_scores(record, 2, attack, {true, control}, {}, 1), MetricId::kLeakRateNet);
    net.add(one, weights);
    clusters.add(one, person);
  };
  RecordCase lost = attacked();
  lost.failed = true;
  add(1, attacked(), R{1, 1}, R{1, 3});
  add(2, attacked(), R{2, 1}, R{3, 3});
  add(3, attacked(), R{1, 3}, R{3, 3});
  add(4, lost, R{}, R{});
  const MetricRow row = net.finish(true, [&]() -> const Clusters& { return clusters; }, {&rate, {}, true}).front();
  EXPECT_DOUBLE_EQ(*row.value, 6.0 / 7);
  EXPECT_DOUBLE_EQ(*row.drop_value, 4.0 / 5);
  EXPECT_DOUBLE_EQ(*row.if_leaked, 6.0 / 7);
  EXPECT_DOUBLE_EQ(*row.if_private, 2.0 / 5);
  EXPECT_EQ(row.n, 3);
  EXPECT_EQ(row.failed, 1);
  EXPECT_LT(*row.low, *row.value);
  EXPECT_LE(*row.value, *row.high);
}

// A record without claims may have as many as another one: 3. Two records, of 3 and 1 claims; attack 3 and 0, control 1
// and 0. If nothing of the unknown leaked, others have it all: (3 - 1 - 3) / (4 - 1); else (2 + 3) / (3 + 3).
TEST(AbsentScores, AnUnknownRecordHasAsManyClaimsAsAnotherOne) {
  Aggregate rate(definition(MetricId::kLeakRate)), net(definition(MetricId::kLeakRateNet)),
      gain(definition(MetricId::kLeakRateGain));
  Clusters of_rate, of_net, of_gain;
  numbers::Weights weights;
  const auto add = [&](std::uint64_t person, const RecordCase& record, std::size_t judged, const R& attack,
                       const R& control) {
    numbers::draw_weights(person, weights);
    for (const Contribution& one : judge_scores(record, judged, attack, attack)) {
      if (one.metric == MetricId::kLeakRate) rate.add(one, weights), of_rate.add(one, person);
    }
    const auto all = absent_scores(record, judged, attack, {true, control}, {}, 1);
    net.add(of(all, MetricId::kLeakRateNet), weights), of_net.add(of(all, MetricId::kLeakRateNet), person);
    gain.add(of(all, MetricId::kLeakRateGain), weights), of_gain.add(of(all, MetricId::kLeakRateGain), person);
  };
  RecordCase unknown = attacked();
  unknown.has_claims = false;
  unknown.no_claims = true;
  add(1, attacked(), 3, R{1, 1, 2}, R{1, 3, 3});
  add(2, attacked(), 1, R{3}, R{3});
  add(3, unknown, 0, R{}, R{});
  const Whole whole{&rate, [&]() -> const Clusters& { return of_rate; }, true};
  const MetricRow row = net.finish(
                               true, [&]() -> const Clusters& { return of_net; }, whole)
                            .front();
  EXPECT_DOUBLE_EQ(*row.value, 4.0 / 5);  // the mean record has 2 claims
  EXPECT_DOUBLE_EQ(*row.if_leaked, 5.0 / 6);
  EXPECT_DOUBLE_EQ(*row.if_private, -1.0 / 3);
  EXPECT_EQ(row.missing, 1);
  const MetricRow gained = gain.finish(
                                   true, [&]() -> const Clusters& { return of_gain; }, whole)
                               .front();
  EXPECT_DOUBLE_EQ(*gained.value, 4.0 / 5);
  EXPECT_DOUBLE_EQ(*gained.if_leaked, 5.0 / 6);
  EXPECT_DOUBLE_EQ(*gained.if_private, 2.0 / 6);
  EXPECT_EQ(gained.missing, 1);
}

// 4 persons of 2 claims, one of them lost, and one of whose claims nobody knows. Second 2, 1, 1; third 0, 1, 0, the one
// of the second person another claim than the second's.
//   headline: (2 + 1 + 1) / (2 + 1 + 2 + 2 + 2); dropped: 4 / 5; the lost ones leaked by the second alone: 8 / 9
TEST(AbsentScores, WhatIsLostMakesTheChanceValueOfAGainSmall) {
  Aggregate rate(definition(MetricId::kLeakRate)), chance(definition(MetricId::kLeakRateGainChance));
  Clusters of_rate, of_chance;
  numbers::Weights weights;
  const auto add = [&](std::uint64_t person, const RecordCase& record, std::size_t judged, const R& second,
                       const R& third) {
    numbers::draw_weights(person, weights);
    for (const Contribution& one : judge_scores(record, judged, second, second)) {
      if (one.metric == MetricId::kLeakRate) rate.add(one, weights), of_rate.add(one, person);
    }
    const auto all = absent_scores(record, judged, second, {true, second}, {true, third}, 1);
    chance.add(of(all, MetricId::kLeakRateGainChance), weights);
    of_chance.add(of(all, MetricId::kLeakRateGainChance), person);
  };
  RecordCase lost = attacked(), unknown = attacked();
  lost.failed = true;
  unknown.has_claims = false;
  unknown.no_claims = true;
  add(1, attacked(), 2, R{1, 2}, R{3, 3});
  add(2, attacked(), 2, R{2, 3}, R{3, 1});
  add(3, attacked(), 2, R{1, 3}, R{3, 3});
  add(4, lost, 2, R{}, R{});
  add(5, unknown, 0, R{}, R{});
  const Whole whole{&rate, [&]() -> const Clusters& { return of_rate; }, true};
  const MetricRow row = chance
                            .finish(
                                true, [&]() -> const Clusters& { return of_chance; }, whole)
                            .front();
  EXPECT_DOUBLE_EQ(*row.value, 4.0 / 9);
  EXPECT_DOUBLE_EQ(*row.drop_value, 4.0 / 5);
  EXPECT_DOUBLE_EQ(*row.if_leaked, 4.0 / 9);
  EXPECT_DOUBLE_EQ(*row.if_private, 8.0 / 9);
  EXPECT_EQ(row.n, 3);
  EXPECT_EQ(row.failed, 1);
  EXPECT_EQ(row.missing, 1);
}

// Whatever is missing: a gate on what is left of nothing would pass.
TEST(AbsentScores, WhereTheControlHasAllThatIsKnownThereIsNoNet) {
  Aggregate net(definition(MetricId::kLeakRateNet));
  Clusters clusters;
  numbers::Weights weights;
  RecordCase lost = attacked();
  lost.failed = true;
  const auto add = [&](std::uint64_t person, const RecordCase& record, const R& ratings) {
    numbers::draw_weights(person, weights);
    const Contribution one = of(absent_scores(record, 2, ratings, {true, R{1, 2}}, {}, 1), MetricId::kLeakRateNet);
    net.add(one, weights);
    clusters.add(one, person);
  };
  add(1, attacked(), R{3, 3});
  add(2, lost, R{});
  const MetricRow row = net.finish(true, [&]() -> const Clusters& { return clusters; }).front();
  EXPECT_EQ(row.value, std::nullopt);
  EXPECT_EQ(row.low, std::nullopt);
  EXPECT_EQ(row.if_leaked, std::nullopt);
  EXPECT_EQ(row.if_private, std::nullopt);
  EXPECT_EQ(row.failed, 1);
}

TEST(AbsentScores, WhereTheControlHasEverythingThereIsNoNet) {
  Aggregate net(definition(MetricId::kLeakRateNet));
  Clusters clusters;
  numbers::Weights weights;
  numbers::draw_weights(1, weights);
  const Contribution one = of(absent_scores(attacked(), 2, R{1, 1}, {true, R{1, 2}}, {}, 1), MetricId::kLeakRateNet);
  net.add(one, weights);
  clusters.add(one, 1);
  const MetricRow row = net.finish(true, [&]() -> const Clusters& { return clusters; }).front();
  EXPECT_EQ(row.value, std::nullopt);
  EXPECT_EQ(row.low, std::nullopt);
}

}  // namespace
}  // namespace residue::query
