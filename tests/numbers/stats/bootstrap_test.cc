#include "numbers/stats/bootstrap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "numbers/stats/bootstrap_kernels.h"

namespace residue::numbers {
namespace {

constexpr std::int64_t kOne = std::int64_t{1} << 32;  // 1.0 in fixed point

// The draws are Poisson(1): 3.7 million of them against the probabilities, five standard errors.
TEST(Bootstrap, DrawsPoissonWeights) {
  std::array<double, 8> counts{};
  Weights weights;
  constexpr int kUnits = 3'700;
  for (int unit = 0; unit < kUnits; ++unit) {
    draw_weights(resampling_unit(std::to_string(unit), std::nullopt), weights);
    for (const std::uint8_t weight : weights) ++counts[std::min<std::size_t>(weight, 7)];
  }
  const double total = kUnits * static_cast<double>(kReplicates);
  double factorial = 1;
  for (int k = 0; k < 7; ++k) {
    if (k > 0) factorial *= k;
    const double expected = std::exp(-1.0) / factorial;
    const double error = std::sqrt(expected * (1 - expected) / total);
    EXPECT_NEAR(counts[static_cast<std::size_t>(k)] / total, expected, 5 * error) << "weight " << k;
  }
}

// The thresholds are round(P(Poisson(1) <= k) * 2^32): the definition, again.
TEST(Bootstrap, GivesTheWeightOfTheDefinition) {
  Weights weights;
  const std::uint64_t unit = resampling_unit("r-1", std::nullopt);
  draw_weights(unit, weights);
  for (std::size_t i = 0; i < kReplicates / 2; ++i) {
    std::uint64_t bits = unit + i * 0x9e3779b97f4a7c15ULL + 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    bits ^= bits >> 31;
    for (const int half : {0, 1}) {
      const auto draw = static_cast<double>(half == 0 ? bits & 0xffffffffULL : bits >> 32);
      double below = 0, factorial = 1;
      int weight = 0;
      for (int k = 0; k <= 10; ++k) {
        if (k > 0) factorial *= k;
        below += std::exp(-1.0) / factorial;
        weight += draw >= std::round(below * 4294967296.0) ? 1 : 0;
      }
      EXPECT_EQ(weights[2 * i + static_cast<std::size_t>(half)], weight);
    }
  }
}

TEST(Bootstrap, GivesTheSameWithAnyInstructions) {
  const BootstrapKernels& portable = bootstrap_kernels(Simd::kPortable);
  for (const Simd simd : supported_simd()) {
    SCOPED_TRACE(name_of(simd));
    const BootstrapKernels& kernels = bootstrap_kernels(simd);
    std::array<std::int64_t, kReplicates> sums{}, expected{};
    for (std::uint64_t unit = 0; unit < 200; ++unit) {
      Weights weights, plain;
      kernels.draw(unit * 0x123456789abcdefULL, weights);
      portable.draw(unit * 0x123456789abcdefULL, plain);
      ASSERT_EQ(weights, plain);
      const std::int64_t value = (unit % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(unit << 33U);
      kernels.add(weights, value, sums);
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
