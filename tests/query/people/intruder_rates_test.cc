// The stratified mean is unbiased: every sample of a small population is drawn, and the estimates' mean is its mean.
#include "query/people/intruder_rates.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "numbers/stats/bootstrap.h"

namespace residue::query {
namespace {

struct Target {
  double value = 0;
  std::size_t stratum = 0;
};

double mean_of(const std::vector<Target>& all) {
  double sum = 0;
  for (const Target& one : all) sum += one.value;
  return sum / static_cast<double>(all.size());
}

std::vector<double> shares_of(const std::vector<Target>& all, std::size_t strata) {
  std::vector<double> shares(strata);
  for (const Target& one : all) shares[one.stratum] += 1 / static_cast<double>(all.size());
  return shares;
}

TEST(StratifiedMean, OfAllSamplesIsThatOfThePopulation) {
  const std::vector<std::vector<double>> patterns = {{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1},
                                                     {1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0},
                                                     {0, 0, 1, 0, 0, 0.25, 0, 0, 1, 1, 0, 0.5},
                                                     {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}};
  const std::vector<std::size_t> sizes = {8, 3, 1}, drawn = {3, 2, 1};
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    SCOPED_TRACE(p);
    std::vector<Target> population;
    for (std::size_t i = 0; i < 12; ++i) population.push_back({patterns[p][i], i < 8 ? 0U : i < 11 ? 1U : 2U});
    const std::vector<double> shares = shares_of(population, 3);
    double sum = 0, plain = 0, squares = 0;
    std::size_t samples = 0;
    for (std::uint32_t set = 0; set < 1U << 12; ++set) {
      const std::vector<std::uint32_t> masks = {0xffU, 0x700U, 0x800U};
      bool wanted = true;
      for (std::size_t h = 0; h < 3; ++h) {
        wanted = wanted && std::popcount(set & masks[h]) == static_cast<int>(drawn[h]);
      }
      if (!wanted) continue;
      SampledValues values;
      double raw = 0;
      for (std::size_t i = 0; i < 12; ++i) {
        if ((set >> i & 1U) == 0) continue;
        values.add(population[i].value, i, population[i].stratum);
        raw += population[i].value;
      }
      const double estimate = *stratified_mean(values, shares);
      sum += estimate;
      squares += estimate * estimate;
      plain += raw / static_cast<double>(values.all.size());
      ++samples;
    }
    EXPECT_EQ(samples, 56U * 3U);
    const auto n = static_cast<double>(samples);
    EXPECT_NEAR(sum / n, mean_of(population), 1e-12);
    if (p != 1) {
      EXPECT_GT(std::abs(plain / n - mean_of(population)), 0.02) << "what is counted is biased, or nothing is shown";
    }
  }
}

TEST(StratifiedMean, IsTheEstimatorOfHorvitzAndThompson) {
  SampledValues values;
  const std::vector<double> sizes = {30, 6}, drawn = {4, 3};
  double weighed = 0;
  for (std::uint64_t i = 0; i < 7; ++i) {
    const std::size_t h = i < 4 ? 0 : 1;
    const double value = i % 2 == 0 ? 1 : 0.5;
    values.add(value, i, h);
    weighed += value / (drawn[h] / sizes[h]);
  }
  EXPECT_NEAR(*stratified_mean(values, {30.0 / 36, 6.0 / 36}), weighed / 36, 1e-12);
}

TEST(StratifiedMean, IsUnknownWhereAStratumHasNoAttempt) {
  SampledValues values;
  for (std::uint64_t i = 0; i < 12; ++i) values.add(1, i, 0);
  EXPECT_FALSE(stratified_mean(values, {0.5, 0.5}));
  EXPECT_TRUE(stratified_mean(values, {1, 0})) << "nobody is in it";
  const IntruderRate rate = rate_of(values, {.of = {0.5, 0.5}});
  EXPECT_FALSE(rate.value || rate.low || rate.high);
  EXPECT_EQ(rate.hits, 12) << "counts stay";
  EXPECT_EQ(rate.n, 12U);
  EXPECT_FALSE(rate_of(values, {.of = {}, .known = false}).value);
}

// Of a whole population, the ratio of two stratified means is the ratio itself.
TEST(StratifiedMean, OfSomeIsARatio) {
  SampledValues values;
  for (std::uint64_t i = 0; i < 10; ++i) values.add(i < 2 ? 1 : 0, i, 0, i < 4);
  for (std::uint64_t i = 10; i < 15; ++i) values.add(i < 14 ? 1 : 0, i, 1, true);
  EXPECT_NEAR(*stratified_mean(values, {10.0 / 15, 5.0 / 15}), 6.0 / 9, 1e-12);
  EXPECT_EQ(rate_of(values, {}).n, 9U);
  EXPECT_FALSE(rate_of(values, {}).value) << "nine claims are too few";
}

TEST(IntruderRate, OfOneStratumIsThatOfNone) {
  SampledValues values;
  for (std::uint64_t i = 0; i < 25; ++i) values.add(i % 3 == 0 ? 0.5 : i % 3 == 1 ? 1 : 0, i / 2, 0);
  const IntruderRate none = rate_of(values, {}), one = rate_of(values, {.of = {1.0}});
  EXPECT_DOUBLE_EQ(*none.value, *one.value);
  EXPECT_NEAR(*none.low, *one.low, 1e-9);
  EXPECT_NEAR(*none.high, *one.high, 1e-9);
}

// 95 % of samples, drawn in equal numbers from a rare stratum and a frequent one, have an interval that holds the
// truth.
TEST(IntruderRate, OfStratifiedDrawsHoldsTheTruth) {
  std::mt19937_64 random(7);
  constexpr int kSamples = 400, kFrequent = 380, kRare = 20;
  for (const auto& [frequent, rare] : {std::pair(0.05, 0.9), std::pair(0.3, 0.3), std::pair(0.0, 1.0)}) {
    SCOPED_TRACE(frequent);
    std::vector<double> values(kFrequent + kRare);
    for (int i = 0; i < kFrequent; ++i) values[i] = i < frequent * kFrequent ? 1 : 0;
    for (int i = 0; i < kRare; ++i) values[kFrequent + i] = i < rare * kRare ? 1 : 0;
    double truth = 0;
    for (const double value : values) truth += value / (kFrequent + kRare);
    int held = 0;
    double width = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
      std::shuffle(values.begin(), values.begin() + kFrequent, random);
      std::shuffle(values.begin() + kFrequent, values.end(), random);
      SampledValues drawn;
      for (int i = 0; i < 15; ++i) {
        drawn.add(values[i], random(), 0);
        drawn.add(values[kFrequent + i], random(), 1);
      }
      const IntruderRate rate = rate_of(drawn, {.of = {0.95, 0.05}});
      held += *rate.low <= truth && truth <= *rate.high ? 1 : 0;
      width += *rate.high - *rate.low;
      EXPECT_LE(*rate.low, *rate.value);
      EXPECT_GE(*rate.high, *rate.value);
    }
    EXPECT_GE(held, kSamples * 94 / 100);
    EXPECT_LT(width / kSamples, 0.6);
  }
}

}  // namespace
}  // namespace residue::query
