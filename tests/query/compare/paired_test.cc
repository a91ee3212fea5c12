#include "query/compare/paired.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"
#include "query/compare/effect_size.h"
#include "tests/text/parity.h"

namespace residue::query {
namespace {

PairedUnit unit(std::uint64_t id, std::int64_t num_a, std::int64_t num_b, std::int64_t den_a = 1,
                std::int64_t den_b = 1) {
  return {id, num_a, den_a, num_b, den_b};
}

std::vector<PairedUnit> some_units(std::size_t count, std::uint64_t seed, bool same_denominators) {
  std::vector<PairedUnit> units;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t dice = mix(seed * 1000 + i);
    const auto den_a = static_cast<std::int64_t>(1 + dice % 4);
    const auto den_b = same_denominators ? den_a : static_cast<std::int64_t>(1 + (dice >> 8U) % 4);
    units.push_back(unit(dice, static_cast<std::int64_t>((dice >> 16U) % 50),
                         static_cast<std::int64_t>((dice >> 24U) % 50), den_a, den_b));
  }
  return units;
}

// The bootstrap by definition: one replicate after the other, with a phantom of the mean number of units who changes as
// much as the range [0, 1] allows.
numbers::Interval interval_by_definition(const std::vector<PairedUnit>& units, double one) {
  double total_a = 0, total_b = 0;
  for (const PairedUnit& each : units) {
    total_a += static_cast<double>(each.den_a);
    total_b += static_cast<double>(each.den_b);
  }
  const auto persons = static_cast<double>(units.size());
  std::vector<double> lows, highs;
  for (std::size_t b = 0; b < numbers::kReplicates; ++b) {
    double num_a = 0, den_a = 0, num_b = 0, den_b = 0;
    for (const PairedUnit& each : units) {
      numbers::Weights weights;
      numbers::draw_weights(each.unit, weights);
      num_a += weights[b] * static_cast<double>(each.num_a) / one;
      den_a += weights[b] * static_cast<double>(each.den_a);
      num_b += weights[b] * static_cast<double>(each.num_b) / one;
      den_b += weights[b] * static_cast<double>(each.den_b);
    }
    const double more_a = std::floor(numbers::phantom_weights()[b] * total_a / persons + 0.5);
    const double more_b = std::floor(numbers::phantom_weights()[b] * total_b / persons + 0.5);
    lows.push_back(num_b / (den_b + more_b) - (num_a + more_a) / (den_a + more_a));
    highs.push_back((num_b + more_b) / (den_b + more_b) - num_a / (den_a + more_a));
  }
  return numbers::phantom_interval(lows, highs, (lows[0] + highs[0]) / 2);
}

TEST(PairedDelta, IsComputedByHand) {
  // Halves of 2^32: a 0.5 and 1, b 0 and 0.5.
  const std::vector<PairedUnit> units{unit(1, kOne / 2, 0), unit(2, kOne, kOne / 2)};
  const PairedDelta delta = paired_delta(units, true);
  EXPECT_DOUBLE_EQ(*delta.a, 0.75);
  EXPECT_DOUBLE_EQ(*delta.b, 0.25);
  EXPECT_DOUBLE_EQ(*delta.difference, -0.5);
  // Every unit differs by the same; the phantom need not.
  EXPECT_LT(delta.interval->low, -0.7);
  EXPECT_GT(delta.interval->high, 0);
}

TEST(PairedDelta, HasAWideIntervalOfOnePerson) {
  const PairedDelta delta = paired_delta(std::vector{unit(1, kOne / 2, 0), unit(2, 0, 0, 0, 0)}, true);
  EXPECT_DOUBLE_EQ(*delta.difference, -0.5);
  EXPECT_LT(delta.interval->low, -0.9);
  EXPECT_GT(delta.interval->high, 0.8);
}

TEST(PairedDelta, PoolsCountsOfEachSide) {
  const std::vector<PairedUnit> units{unit(1, 1, 2, 4, 4), unit(2, 3, 3, 4, 8)};
  const PairedDelta delta = paired_delta(units, false);
  EXPECT_DOUBLE_EQ(*delta.a, 4.0 / 8);
  EXPECT_DOUBLE_EQ(*delta.b, 5.0 / 12);
  EXPECT_DOUBLE_EQ(*delta.difference, 5.0 / 12 - 0.5);
}

TEST(PairedDelta, OfARunWithItselfIsExactlyZero) {
  std::vector<PairedUnit> units = some_units(50, 1, true);
  for (PairedUnit& each : units) each.num_b = each.num_a;
  const PairedDelta delta = paired_delta(units, true);
  EXPECT_EQ(*delta.difference, 0);
  EXPECT_LT(delta.interval->low, -0.05);  // of 50 persons: about Beta(1, 50) on either side
  EXPECT_GT(delta.interval->low, -0.1);
  EXPECT_GT(delta.interval->high, 0.05);
}

TEST(PairedDelta, HasNothingToSayOfNothing) {
  EXPECT_FALSE(paired_delta({}, true).difference);
  EXPECT_FALSE(paired_delta(std::vector{unit(1, 0, 0, 0, 0)}, false).interval);
  EXPECT_FALSE(paired_delta(std::vector{unit(1, 1, 0, 1, 0)}, false).difference);
}

TEST(PairedDelta, EqualsTheBootstrapByDefinition) {
  for (const bool same : {true, false}) {
    SCOPED_TRACE(same);
    const auto units = some_units(60, 7, same);
    const auto interval = paired_delta(units, false, {0, 1}).interval;
    const auto expected = interval_by_definition(units, 1);
    EXPECT_NEAR(interval->low, expected.low, 1e-9);
    EXPECT_NEAR(interval->high, expected.high, 1e-9);
    EXPECT_LT(interval->low, interval->high);
  }
}

// Half an interval of 0.2 is 1.96 standard errors; four of five cases need 0.842 more.
TEST(PairedDelta, SaysWhatItCouldHaveFound) {
  PairedDelta delta;
  EXPECT_FALSE(detectable_difference(delta));
  delta.difference = 0.05;
  delta.interval = numbers::Interval{-0.05, 0.15};
  EXPECT_NEAR(*detectable_difference(delta), 0.1 * 2.802 / 1.96, 1e-12);
}

TEST(PairedDelta, DoesNotDependOnTheOrderOfUnits) {
  auto units = some_units(40, 3, false);
  const auto before = paired_delta(units, false).interval;
  std::reverse(units.begin(), units.end());
  const auto after = paired_delta(units, false).interval;
  EXPECT_EQ(before->low, after->low);
  EXPECT_EQ(before->high, after->high);
}

TEST(PairedDelta, TakesThePercentilesOfTheReference) {
  const auto cases = text::parity_cases("spearman_fleiss.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference outputs in ../shared/parity";
  std::size_t compared = 0;
  for (const auto& one : cases) {
    if (one["kind"] != "bootstrap_percentile") continue;
    SCOPED_TRACE(one["id"].dump());
    const auto values = one["values"].get<std::vector<double>>();
    std::vector<double> means;
    for (const auto& indices : one["idx"]) {
      double sum = 0;
      for (const auto& index : indices) sum += values[index.get<std::size_t>()];
      means.push_back(sum / static_cast<double>(indices.size()));
    }
    const auto interval = numbers::percentile_interval(means);
    EXPECT_NEAR(interval->low, one["lo_mid_hi"][0].get<double>(), 1e-12);
    EXPECT_NEAR(interval->high, one["lo_mid_hi"][2].get<double>(), 1e-12);
    ++compared;
  }
  EXPECT_GT(compared, 5U);
}

TEST(UnitDifferences, SumUpToNothingWhereTheRatesAgree) {
  // 1/2 on both sides, of other denominators.
  const std::vector<PairedUnit> units{unit(1, 1, 3, 4, 4), unit(2, 3, 1, 4, 4), unit(3, 2, 1, 4, 2)};
  std::int64_t sum = 0;
  for (const auto one : unit_differences(units, false).sizes) sum += one;
  EXPECT_EQ(sum, 0);
}

TEST(UnitDifferences, HaveTheSignOfTheDifferenceUnderEveryExchange) {
  const auto units = some_units(8, 11, false);
  const auto sizes = unit_differences(units, false).sizes;
  for (std::uint32_t exchanged = 0; exchanged < 256; ++exchanged) {
    std::int64_t sum = 0;
    double num_a = 0, den_a = 0, num_b = 0, den_b = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const bool swap = ((exchanged >> i) & 1U) != 0;
      sum += swap ? -sizes[i] : sizes[i];
      num_a += static_cast<double>(swap ? units[i].num_b : units[i].num_a);
      den_a += static_cast<double>(swap ? units[i].den_b : units[i].den_a);
      num_b += static_cast<double>(swap ? units[i].num_a : units[i].num_b);
      den_b += static_cast<double>(swap ? units[i].den_a : units[i].den_b);
    }
    const double difference = num_b / den_b - num_a / den_a;
    if (std::abs(difference) < 1e-12) {
      EXPECT_EQ(sum, 0);
    } else {
      EXPECT_EQ(sum > 0, difference > 0) << exchanged;
    }
  }
}

TEST(UnitDifferences, AreHalvedBeforeTheyOverflow) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 45;
  const std::vector<PairedUnit> units{unit(1, 0, kLarge, 1000, 2000), unit(2, kLarge, 0, 2000, 2000)};
  const auto sizes = unit_differences(units, false).sizes;
  EXPECT_GT(sizes[0], 0);
  EXPECT_LT(sizes[1], 0);
  EXPECT_LT(static_cast<double>(sizes[0]) - static_cast<double>(sizes[1]), std::ldexp(1.0, 62));
}

// Means of ratings of three claims, 1/3 1/3 5/6 and 1/2 1/6 5/6: sums of what they are rounded to differ.
TEST(PairedDelta, IsNothingWhereTheMeansAreEqual) {
  const std::vector<PairedUnit> units{unit(1, fixed(2, 6), fixed(3, 6)), unit(2, fixed(2, 6), fixed(1, 6)),
                                      unit(3, fixed(5, 6), fixed(5, 6))};
  ASSERT_NE(units[0].num_a + units[1].num_a, units[0].num_b + units[1].num_b);
  const PairedDelta delta = paired_delta(units, true);
  EXPECT_EQ(*delta.difference, 0);
  EXPECT_LT(delta.interval->low, -0.1);
  EXPECT_EQ(*standardized_difference(units, true), 0);
  EXPECT_EQ(*dominance(units, true), 0);
}

TEST(UnitDifferences, OfRatingsAreWholeSteps) {
  // A person with two records, 1/3 and 1/3, then 2/3 and 0: the same; one with 3/10, then 1.
  const std::vector<PairedUnit> units{unit(1, 2 * fixed(1, 3), fixed(2, 3), 2, 2), unit(2, fixed(3, 10), kOne),
                                      unit(3, fixed(5, 6), fixed(1, 3))};
  const auto told = unit_differences(units, true);
  EXPECT_EQ(told.sizes, (std::vector<std::int64_t>{0, 7, -5}));
  EXPECT_EQ(told.slack, 0);
  EXPECT_NE(unit_differences(units, false).sizes[0], 0);
}

// What is no simple fraction stays as it is, but for what rounding explains.
TEST(UnitDifferences, OfOtherNumbersAreKnownButForRounding) {
  const std::vector<PairedUnit> units{unit(1, kOne / 7, kOne / 7 + 2), unit(2, kOne / 7, kOne / 7 + 3'000'001),
                                      unit(3, kOne, kOne - 123'456'789)};
  const auto told = unit_differences(units, true);
  EXPECT_EQ(told.sizes, (std::vector<std::int64_t>{0, 3'000'001, -123'456'789}));
  EXPECT_EQ(told.slack, 12);  // three differences of two numbers, each off by a unit, on both sides of the comparison
}

TEST(UnitDifferences, OfOtherDenominatorsAreKnownButForRounding) {
  // 1/3 and 1/6 of two records against 1/4 of one: both sides are 1/4.
  const std::vector<PairedUnit> units{unit(1, fixed(1, 3), kOne / 4), unit(2, fixed(1, 6), 0, 1, 0)};
  const auto told = unit_differences(units, true);
  const std::int64_t sum = told.sizes[0] + told.sizes[1];
  EXPECT_LE(std::abs(sum), told.slack);
  EXPECT_LT(told.slack, std::abs(told.sizes[0]) / 1'000'000);
  const std::vector<PairedUnit> with_equal{units[0], units[1], unit(3, kOne / 5, kOne / 5 + 1)};
  EXPECT_EQ(unit_differences(with_equal, true).sizes[2], 0);
}

TEST(EffectSize, IsTheMeanOverTheStandardDeviation) {
  const std::vector<PairedUnit> units{unit(1, 0, 1), unit(2, 0, 2), unit(3, 5, 8)};
  EXPECT_DOUBLE_EQ(*standardized_difference(units, false), 2);  // differences 1, 2, 3
  EXPECT_FALSE(standardized_difference(std::vector{unit(1, 0, 1), unit(2, 3, 4)}, false));
  EXPECT_FALSE(standardized_difference(std::vector{unit(1, 0, 1)}, false));
}

TEST(EffectSize, CountsUnitsThatRoseAndFell) {
  const std::vector<PairedUnit> units{unit(1, 0, 100), unit(2, 3, 4), unit(3, 5, 4), unit(4, 1, 1)};
  EXPECT_DOUBLE_EQ(*dominance(units, false), 0.25);
  EXPECT_FALSE(dominance({}, false));
}

}  // namespace
}  // namespace residue::query
