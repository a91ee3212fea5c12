#include "numbers/stats/discrete_gaussian.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace residue::numbers {
namespace {

// Chi-squared of `draws` draws against exp(-x^2 / 2 sigma^2), summed by definition; cells of fewer than five go
// together. Of a right sampler it exceeds k + 5 sqrt(2 k), k its degrees of freedom, about once in a million.
double excess(const Variance& drawn, double sigma2, int draws) {
  NoiseStream bits(std::string(32, 'k'), "chi-squared");
  std::map<std::int64_t, int> seen;
  for (int i = 0; i < draws; ++i) ++seen[discrete_gaussian(drawn, bits)];
  const auto reach = static_cast<std::int64_t>(12 * std::sqrt(sigma2)) + 2;
  double all = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    all += std::exp(-static_cast<double>(x) * static_cast<double>(x) / (2 * sigma2));
  }
  double sum = 0, cells = 0, rare_seen = draws, rare_expected = draws;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    const double expected = draws * std::exp(-static_cast<double>(x) * static_cast<double>(x) / (2 * sigma2)) / all;
    if (expected < 5) continue;
    sum += std::pow(seen[x] - expected, 2) / expected;
    ++cells;
    rare_seen -= seen[x];
    rare_expected -= expected;
  }
  if (rare_expected > 1) sum += std::pow(rare_seen - rare_expected, 2) / rare_expected;
  return (sum - cells) / std::sqrt(2 * cells);
}

TEST(DiscreteGaussian, HasTheDistributionOfItsDefinition) {
  for (const std::uint64_t scaled :
       {Variance::kUnit / 4, Variance::kUnit, Variance::kUnit * 6 + 4803, Variance::kUnit * 400}) {
    SCOPED_TRACE(scaled);
    const Variance variance{scaled};
    EXPECT_LT(excess(variance, variance.value(), 20'000), 5);
    EXPECT_GT(excess(variance, variance.value() * 1.2, 20'000), 5) << "the test tells a fifth apart";
  }
}

TEST(DiscreteGaussian, IsWideAndNarrow) {
  NoiseStream bits(std::string(32, 'k'), "ends");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(discrete_gaussian({1}, bits), 0);
  double squares = 0;
  for (int i = 0; i < 2000; ++i)
    squares += std::pow(static_cast<double>(discrete_gaussian({Variance::kMost}, bits)), 2);
  EXPECT_NEAR(squares / 2000 / Variance{Variance::kMost}.value(), 1, 5 * std::sqrt(2.0 / 2000));
}

TEST(NoiseStream, IsFixedByKeyAndItemAlone) {
  const auto words = [](std::string_view key, std::string_view item) {
    NoiseStream bits(key, item);
    std::vector<std::uint64_t> out;
    for (int i = 0; i < 9; ++i) out.push_back(bits.next());
    return out;
  };
  const auto first = words("key", "item");
  EXPECT_EQ(words("key", "item"), first);
  EXPECT_NE(words("key", "item2"), first);
  EXPECT_NE(words("keyi", "tem"), first) << "they do not run into each other";
  EXPECT_EQ(std::set<std::uint64_t>(first.begin(), first.end()).size(), 9U);
  // The first 8 bytes of SHA-256(3 "key" 4 "item" 0), numbers of 8 bytes, little-endian throughout, by Python's
  // hashlib.
  EXPECT_EQ(fmt::format("{:016x}", first[0]), "77acaa9b2ad48af8");
}

}  // namespace
}  // namespace residue::numbers
