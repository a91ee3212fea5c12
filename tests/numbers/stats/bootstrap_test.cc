#include "numbers/stats/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "numbers/stats/bootstrap_kernels.h"
#include "numbers/stats/exponential_table.h"

namespace residue::numbers {
namespace {

constexpr std::int64_t kOne = std::int64_t{1} << 32;  // 1.0 in fixed point

// Weights are exponential(1): mean 1, variance 1, and the quantiles, within five standard errors of 3.7 million.
TEST(Bootstrap, DrawsExponentialWeights) {
  Weights weights;
  constexpr int kUnits = 3'700;
  double sum = 0, squares = 0, above_one = 0, above_three = 0;
  for (int unit = 0; unit < kUnits; ++unit) {
    draw_weights(resampling_unit(std::to_string(unit), std::nullopt), weights);
    for (const std::uint16_t weight : weights) {
      const double w = weight / static_cast<double>(kWeightOne);
      sum += w;
      squares += w * w;
      above_one += w > 1 ? 1 : 0;
      above_three += w > 3 ? 1 : 0;
    }
  }
  const double n = kUnits * static_cast<double>(kReplicates);
  EXPECT_NEAR(sum / n, 1, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 2, 5 * std::sqrt(20 / n) + 0.001);  // the table's variance is 0.9997
  EXPECT_NEAR(above_one / n, std::exp(-1), 0.003);
  EXPECT_NEAR(above_three / n, std::exp(-3), 0.001);
}

TEST(ExponentialTable, HasTheMeansOfItsRanges) {
  const auto& table = exponential_table();
  const auto n = static_cast<double>(kExponentials);
  const auto log_part = [&](double k) { return k == 0 ? 0 : k * std::log(n / k); };
  double sum = 0;
  for (std::size_t k = 0; k < kExponentials; ++k) {
    const double mean = 1 + log_part(static_cast<double>(k + 1)) - log_part(static_cast<double>(k));
    EXPECT_EQ(table[k], static_cast<std::uint16_t>(std::floor(mean * 256 + 0.5))) << k;
    sum += table[k];
  }
  EXPECT_NEAR(sum / n, 256, 0.01);
  EXPECT_EQ(table.front(), 2385);
}

// The definition, again: four draws of 12 bits from each output of SplitMix64.
TEST(Bootstrap, GivesTheWeightOfTheDefinition) {
  Weights weights;
  const std::uint64_t unit = resampling_unit("r-1", std::nullopt);
  draw_weights(unit, weights);
  for (std::size_t i = 0; i < kReplicates / 4; ++i) {
    std::uint64_t bits = unit + i * 0x9e3779b97f4a7c15ULL + 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    bits ^= bits >> 31;
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_EQ(weights[4 * i + j], exponential_table()[(bits >> (16 * j)) & 4095U]);
    }
  }
}

TEST(Bootstrap, GivesThePhantomTheMeanNumberOfUnits) {
  EXPECT_EQ(phantom_share(7, 30, 10), 3 * phantom_weights()[7]);
  EXPECT_EQ(phantom_share(7, 1, 2), (phantom_weights()[7] + 1) / 2);
  Weights other;
  draw_weights(resampling_unit("phantom", std::nullopt), other);
  EXPECT_NE(other, phantom_weights());
}

// Nobody leaks, of 20: the high end is the 97.5th percentile of w / (w + the weights of 20), which is Beta(1, 20).
TEST(RatioInterval, SaysWhatRecordsThatAllAgreeLeaveOpen) {
  const auto num = std::make_unique<ReplicateSums>(), den = std::make_unique<ReplicateSums>();
  num->fill(0);
  den->fill(0);
  Weights weights;
  for (std::uint64_t unit = 0; unit < 20; ++unit) {
    draw_weights(mix(unit), weights);
    add_weighted(weights, 1, *den);
  }
  const Interval found = ratio_interval({.num = *num, .den = *den, .total = 20, .units = 20, .greatest = 1}, 0);
  EXPECT_EQ(found.low, 0);
  EXPECT_NEAR(found.high, 1 - std::pow(0.025, 1.0 / 20), 0.02);  // 0.1684
}

TEST(Bootstrap, GivesTheSameWithAnyInstructions) {
  for (const Simd simd : supported_simd()) {
    SCOPED_TRACE(name_of(simd));
    const BootstrapKernels& kernels = bootstrap_kernels(simd);
    std::array<std::int64_t, kReplicates> sums{}, expected{};
    for (std::uint64_t unit = 0; unit < 200; ++unit) {
      Weights plain;
      draw_weights(unit * 0x123456789abcdefULL, plain);
      const std::int64_t value = (unit % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(unit << 33U);
      kernels.add(plain, value, sums);
      for (std::size_t b = 0; b < kReplicates; ++b) expected[b] += plain[b] * value;
    }
    EXPECT_EQ(sums, expected);
  }
}

TEST(Bootstrap, ResamplesPersonsAsOne) {
  EXPECT_EQ(resampling_unit("a", "p-1"), resampling_unit("b", "p-1"));
  EXPECT_NE(resampling_unit("a", "p-1"), resampling_unit("a", std::nullopt));
  EXPECT_NE(resampling_unit("p-1", std::nullopt), resampling_unit("a", "p-1"));
}

TEST(Bootstrap, AddsAndSubtractsExactly) {
  std::array<std::int64_t, kReplicates> sums{};
  Weights weights;
  draw_weights(1, weights);
  add_weighted(weights, 123456789012345, sums);
  add_weighted(weights, -123456789012345, sums);
  for (const std::int64_t sum : sums) EXPECT_EQ(sum, 0);
}

TEST(Bootstrap, AddsWhatItSays) {
  const std::uint64_t unit = resampling_unit("some record", std::nullopt);
  Weights weights;
  draw_weights(unit, weights);
  for (const std::int64_t value : {std::int64_t{1}, std::int64_t{3}, kOne, kOne - 1, 2 * kOne, std::int64_t{-1},
                                   std::int64_t{-4}, std::numeric_limits<std::int64_t>::min()}) {
    std::array<std::int64_t, kReplicates> sums{};
    sums.fill(-5);
    add_weighted(weights, value, sums);
    for (std::size_t b = 0; b < kReplicates; ++b) {
      const std::uint64_t expected = weights[b] * static_cast<std::uint64_t>(value) - 5;
      ASSERT_EQ(sums[b], static_cast<std::int64_t>(expected)) << value;
    }
  }
}

TEST(Bootstrap, RemembersTheWeightsOfEachUnit) {
  DrawnWeights drawn;
  Weights expected;
  for (std::uint64_t round = 0; round < 3; ++round) {
    for (std::uint64_t i = 0; i < 20'000; i += round + 1) {
      const std::uint64_t unit = i * 0x9e3779b97f4a7c15ULL;
      const Weights& got = drawn.of(unit);
      if (i % 64 > 1) continue;
      draw_weights(unit, expected);
      ASSERT_EQ(got, expected) << i;
    }
  }
}

TEST(Percentiles, InterpolateLinearly) {
  std::vector<double> values;
  for (int i = 0; i <= 40; ++i) values.push_back(40 - i);
  const auto interval = percentile_interval(values);
  EXPECT_DOUBLE_EQ(interval->low, 1.0);
  EXPECT_DOUBLE_EQ(interval->high, 39.0);
  std::vector<double> none;
  EXPECT_FALSE(percentile_interval(none).has_value());
}

std::vector<double> up_to(int count) {
  std::vector<double> values;
  for (int i = 1; i <= count; ++i) values.push_back(i);
  return values;
}

TEST(BiasCorrected, IsThatOfPercentilesAroundTheMedian) {
  auto values = up_to(41), same = up_to(41);
  const auto corrected = bias_corrected_interval(values, 21), plain = percentile_interval(same);
  EXPECT_NEAR(corrected->low, plain->low, 1e-9);
  EXPECT_NEAR(corrected->high, plain->high, 1e-9);
}

// 691.5 of 1,000 replicates lie below: z0 = 0.5, the ends are the percentiles at Phi(-0.96) = 0.16853 and Phi(2.96) =
// 0.99846.
TEST(BiasCorrected, MovesTheEndsAgainstTheBias) {
  auto values = up_to(1000);
  const auto interval = bias_corrected_interval(values, 692);
  EXPECT_NEAR(interval->low, 1 + 999 * 0.168528, 0.1);
  EXPECT_NEAR(interval->high, 1 + 999 * 0.998462, 0.1);
}

TEST(BiasCorrected, HoldsTheValueOrIsNone) {
  for (const double value : {26.0, 500.0, 975.0}) {
    auto values = up_to(1000);
    const auto interval = bias_corrected_interval(values, value);
    ASSERT_TRUE(interval) << value;
    EXPECT_LE(interval->low, value);
    EXPECT_GE(interval->high, value);
  }
  for (const double value : {-5.0, 10.0, 990.0, 1001.0}) {
    auto values = up_to(1000);
    EXPECT_FALSE(bias_corrected_interval(values, value)) << value;
  }
  std::vector<double> none, ones(50, 1.0);
  EXPECT_FALSE(bias_corrected_interval(none, 1));
  EXPECT_EQ(bias_corrected_interval(ones, 1)->low, 1);
  EXPECT_EQ(bias_corrected_interval(ones, 1)->high, 1);
}

// Reference values: statsmodels 0.13 proportion_confint(method="wilson") gives 0.168180, 0.687326 for 4 of 10.
TEST(Wilson, AgreesWithTheTextbook) {
  EXPECT_NEAR(wilson_interval(4, 10).low, 0.168180, 1e-6);
  EXPECT_NEAR(wilson_interval(4, 10).high, 0.687326, 1e-6);
  EXPECT_EQ(wilson_interval(0, 300).low, 0.0);
  EXPECT_EQ(wilson_interval(300, 300).high, 1.0);
  EXPECT_GT(wilson_interval(0, 300).high, 0.0);
}

}  // namespace
}  // namespace residue::numbers
