#include "query/compare/sign_flips.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "tests/text/parity.h"

namespace residue::query {
namespace {

// Units that differ by these sizes.
std::vector<PairedUnit> differing(const std::vector<std::int64_t>& sizes) {
  std::vector<PairedUnit> units;
  for (std::size_t i = 0; i < sizes.size(); ++i) units.push_back({mix(i), 0, 1, sizes[i], 1});
  return units;
}

// P(|sum| >= |observed|) over all signs, by definition.
double by_definition(const std::vector<std::int64_t>& sizes) {
  std::int64_t observed = 0;
  for (const auto one : sizes) observed += one;
  const std::uint64_t all = std::uint64_t{1} << sizes.size();
  std::uint64_t hits = 0;
  for (std::uint64_t signs = 0; signs < all; ++signs) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) sum += ((signs >> i) & 1U) != 0 ? -sizes[i] : sizes[i];
    hits += std::abs(sum) >= std::abs(observed);
  }
  return static_cast<double>(hits) / static_cast<double>(all);
}

std::vector<std::int64_t> some_sizes(std::size_t count, std::uint64_t seed, std::uint64_t range) {
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t dice = mix(mix(seed) + i);
    const auto size = static_cast<std::int64_t>(1 + dice % range);
    sizes.push_back((dice >> 40U) % 3 == 0 ? -size : size);
  }
  return sizes;
}

TEST(SignFlip, HasThePValuesOfTheReference) {
  const auto cases = text::parity_cases("spearman_fleiss.jsonl");
  if (cases.empty()) GTEST_SKIP() << "no reference outputs in ../shared/parity";
  std::size_t compared = 0;
  for (const auto& one : cases) {
    if (one["kind"] != "paired_permutation_exact") continue;
    SCOPED_TRACE(one["id"].dump());
    std::vector<PairedUnit> units;
    for (std::size_t i = 0; i < one["x"].size(); ++i) {
      const auto thousandths = [&](const char* side) { return std::llround(one[side][i].get<double>() * 1000); };
      units.push_back({i, thousandths("y"), 1, thousandths("x"), 1});
    }
    const PairedTest test = sign_flip_test(units, false);
    EXPECT_TRUE(test.exact);
    EXPECT_DOUBLE_EQ(test.p, one["p_two_sided"].get<double>());
    ++compared;
  }
  EXPECT_GT(compared, 10U);
}

TEST(SignFlip, IsComputedByHand) {
  EXPECT_DOUBLE_EQ(sign_flip_test(differing({1, 1, 1}), false).p, 0.25);  // all of one sign: 2 of 8
  EXPECT_DOUBLE_EQ(sign_flip_test(differing({3, 1, -1}), false).p,
                   0.75);  // |sum| >= 3: all but 3 - 1 - 1 and its mirror
  EXPECT_DOUBLE_EQ(sign_flip_test(differing({2, -2}), false).p, 1);
  EXPECT_DOUBLE_EQ(sign_flip_test({}, false).p, 1);
}

TEST(SignFlip, DoesNotCountUnitsThatAgree) {
  const PairedTest test = sign_flip_test(differing({0, 1, 0, 1, 0, 1}), false);
  EXPECT_EQ(test.differing, 3U);
  EXPECT_DOUBLE_EQ(test.p, 0.25);
}

TEST(SignFlip, EnumeratesAsTheDefinitionDoes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const auto sizes = some_sizes(4 + seed % 9, seed, seed % 2 == 0 ? 5 : 1'000'000);
    EXPECT_DOUBLE_EQ(sign_flip_test(differing(sizes), false).p, by_definition(sizes));
  }
}

TEST(SignFlip, CountsBySumsWhatCannotBeEnumerated) {
  // 30 of one sign: 2 / 2^30.
  const PairedTest all = sign_flip_test(differing(std::vector<std::int64_t>(30, 7)), false);
  EXPECT_TRUE(all.exact);
  EXPECT_DOUBLE_EQ(all.p, std::ldexp(1.0, -29));
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    const auto sizes = some_sizes(21, seed, 4);
    const PairedTest test = sign_flip_test(differing(sizes), false);
    EXPECT_TRUE(test.exact);
    EXPECT_NEAR(test.p, by_definition(sizes), 1e-12);
  }
  // So many that the probability is no double any more.
  EXPECT_GT(sign_flip_test(differing(std::vector<std::int64_t>(1500, 1)), false).p, 0);
}

// What ratings of `claims` claims are as a mean: a and b in 2 * claims parts.
struct Means {
  std::int64_t a = 0, b = 0, parts = 1;
};

// As stored, rounded to 2^-32.
std::vector<PairedUnit> rounded(const std::vector<Means>& means) {
  std::vector<PairedUnit> units;
  for (std::size_t i = 0; i < means.size(); ++i) {
    units.push_back({mix(i), fixed(means[i].a, means[i].parts), 1, fixed(means[i].b, means[i].parts), 1});
  }
  return units;
}

// As they are: multiples of one fraction that all denominators divide.
std::vector<std::int64_t> exactly(const std::vector<Means>& means, std::int64_t common) {
  std::vector<std::int64_t> sizes;
  for (const Means& one : means) sizes.push_back((one.b - one.a) * (common / one.parts));
  return sizes;
}

// Differences that often cancel out: some are others' with the other sign, from other values.
std::vector<Means> some_means(std::size_t count, std::uint64_t seed, const std::vector<std::int64_t>& parts) {
  std::vector<Means> means;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t dice = mix(mix(seed) + i);
    const std::int64_t of = parts[i / 2 % parts.size()];
    const auto level = [&](unsigned bits) { return static_cast<std::int64_t>((dice >> bits) % 1000) % (of + 1); };
    means.push_back({level(0), level(20), of});
    if (i % 2 == 1 && dice % 5 != 0) {
      const std::int64_t step = means[i - 1].b - means[i - 1].a;
      means[i].a = step > 0 ? of : 0;
      means[i].b = means[i].a - step;
    }
  }
  return means;
}

TEST(SignFlip, CountsSumsThatDifferByRoundingAlone) {
  // 1/3 1 0 0 and 1/2 2/3 1/6 1/6: +1 -2 +1 +1 sixths. The sum is odd under all signs, thus never below the observed 1.
  const auto units = rounded({{2, 3, 6}, {6, 4, 6}, {0, 1, 6}, {0, 1, 6}});
  EXPECT_LT(sign_flip_test(units, false).p, 1);  // as whole numbers, these would be another case
  EXPECT_EQ(sign_flip_test(units, true).p, 1);
}

TEST(SignFlip, OfRoundedMeansIsThatOfTheFractions) {
  std::size_t ties = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const auto means = some_means(3 + seed % 10, seed, {3, 6, 10});
    const PairedTest test = sign_flip_test(rounded(means), true);
    EXPECT_TRUE(test.exact);
    EXPECT_DOUBLE_EQ(test.p, by_definition(exactly(means, 30)));
    ties += sign_flip_test(rounded(means), false).p < test.p - 1e-12;
  }
  EXPECT_GT(ties, 5U);  // cases that rounding would have decided
}

TEST(SignFlip, CountsFractionsBySums) {
  const auto means = some_means(31, 3, {6, 8});
  const PairedTest test = sign_flip_test(rounded(means), true);
  const PairedTest exact = sign_flip_test(differing(exactly(means, 24)), false);
  EXPECT_TRUE(test.exact);
  EXPECT_GT(test.differing, kMostEnumerated);
  EXPECT_EQ(test.differing, exact.differing);
  EXPECT_EQ(test.p, exact.p);
}

// Denominators without a small common multiple: nothing tells the fractions, but sums are equal within their rounding.
TEST(SignFlip, OfManyDenominatorsForgivesRounding) {
  const std::vector<std::int64_t> parts = {14, 22, 26, 34, 38, 46, 58, 62};
  constexpr std::int64_t kCommon = std::int64_t{2} * 7 * 11 * 13 * 17 * 19 * 23 * 29 * 31;
  std::size_t ties = 0, unknown = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const auto means = some_means(16, seed, parts);
    unknown += unit_differences(rounded(means), true).slack > 0;
    const double p = sign_flip_test(rounded(means), true).p;
    EXPECT_DOUBLE_EQ(p, by_definition(exactly(means, kCommon)));
    ties += sign_flip_test(rounded(means), false).p < p - 1e-12;
  }
  EXPECT_GT(ties, 5U);
  EXPECT_GT(unknown, 15U);
  const auto many = some_means(48, 1, parts);  // drawn
  const PairedTest test = sign_flip_test(rounded(many), true);
  EXPECT_FALSE(test.exact);
  EXPECT_EQ(test.p, sign_flip_test(differing(exactly(many, kCommon)), false).p);
}

TEST(SignFlip, DrawsSignsWhereThereAreTooMany) {
  const auto sizes = some_sizes(22, 5, 1'000'000'000);
  const PairedTest test = sign_flip_test(differing(sizes), false);
  EXPECT_FALSE(test.exact);
  const double p = by_definition(sizes);
  EXPECT_NEAR(test.p, p, 4 * std::sqrt(p * (1 - p) / kFlips) + 2.0 / kFlips);
  EXPECT_NE(test.p, p);
}

// Drawn one sign after the other, without tables and transposed bits.
TEST(SignFlip, DrawsTheSignsOfEachUnitByItsHash) {
  const auto units = differing(some_sizes(101, 9, 1'000'000'000));
  std::int64_t observed = 0;
  for (const PairedUnit& unit : units) observed += unit.num_b;
  std::size_t hits = 0;
  for (std::size_t b = 0; b < kFlips; ++b) {
    std::int64_t sum = 0;
    for (const PairedUnit& unit : units) {
      const std::uint64_t bits = mix(mix(unit.unit ^ 0x5f1e9b3c47d2a861ULL) + (b / 64) * 0x9e3779b97f4a7c15ULL);
      sum += ((bits >> (b % 64)) & 1U) != 0 ? -unit.num_b : unit.num_b;
    }
    hits += std::abs(sum) >= std::abs(observed);
  }
  EXPECT_DOUBLE_EQ(sign_flip_test(units, false).p, static_cast<double>(hits + 1) / (kFlips + 1));
}

TEST(SignFlip, DoesNotDependOnTheOrderOfUnits) {
  auto units = differing(some_sizes(60, 2, 1'000'000'000));
  const double p = sign_flip_test(units, false).p;
  std::reverse(units.begin(), units.end());
  std::swap(units[3], units[40]);
  EXPECT_EQ(sign_flip_test(units, false).p, p);
}

TEST(SignFlip, NeverSaysZero) {
  EXPECT_EQ(sign_flip_test(differing(some_sizes(5000, 1, 1'000'000'000)), false).p, 1.0 / (kFlips + 1));
}

TEST(SignFlip, ExchangesSidesOfOtherDenominators) {
  // By definition: all exchanges of sides, the statistic scaled as paired.h says.
  std::vector<PairedUnit> units;
  for (std::uint64_t i = 0; i < 9; ++i) {
    const std::uint64_t dice = mix(i + 77);
    units.push_back({dice, static_cast<std::int64_t>(dice % 5), static_cast<std::int64_t>(5 + (dice >> 8U) % 3),
                     static_cast<std::int64_t>((dice >> 16U) % 7), static_cast<std::int64_t>(7 + (dice >> 24U) % 3)});
  }
  double num = 0, den = 0;
  for (const PairedUnit& unit : units) {
    num += static_cast<double>(unit.num_a + unit.num_b);
    den += static_cast<double>(unit.den_a + unit.den_b);
  }
  const auto statistic = [&](std::uint32_t exchanged) {
    double sum = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const double one = static_cast<double>(units[i].num_b - units[i].num_a) -
                         num / den * static_cast<double>(units[i].den_b - units[i].den_a);
      sum += ((exchanged >> i) & 1U) != 0 ? -one : one;
    }
    return std::abs(sum);
  };
  std::size_t hits = 0;
  for (std::uint32_t exchanged = 0; exchanged < 512; ++exchanged) hits += statistic(exchanged) >= statistic(0) - 1e-9;
  EXPECT_DOUBLE_EQ(sign_flip_test(units, false).p, static_cast<double>(hits) / 512);
}

}  // namespace
}  // namespace residue::query
