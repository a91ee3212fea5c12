#include "numbers/stats/loss_distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace residue::numbers {
namespace {

constexpr double kCut = 1e-25;

Variance variance(double value) {
  return {static_cast<std::uint64_t>(std::llround(value * static_cast<double>(Variance::kUnit)))};
}

LossDistribution of(double sigma, std::uint64_t shift, std::uint64_t times) {
  return LossDistribution::of_noise(variance(sigma * sigma), shift, kCut / static_cast<double>(times))
      .times(times, kCut);
}

// delta of the Gaussian mechanism, and of any composition of such with mu^2 = sum of (shift / sigma)^2 (B. Balle and
// Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", 2018, theorem 8).
long double gaussian_delta(long double mu, long double epsilon) {
  const auto normal = [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; };
  return normal(mu / 2 - epsilon / mu) - std::exp(epsilon) * normal(-mu / 2 - epsilon / mu);
}

double gaussian_epsilon(double mu, double delta) {
  if (gaussian_delta(mu, 0) <= delta) return 0;
  long double low = 0, high = 1e4L;
  while (gaussian_delta(mu, high / 2) < delta) high /= 2;
  for (int i = 0; i < 200; ++i) {
    const long double middle = (low + high) / 2;
    (gaussian_delta(mu, middle) > delta ? low : high) = middle;
  }
  return static_cast<double>(high);
}

// By definition: the losses of `times` numbers, one after the other, on no grid at all: the sum of the noise is a whole
// number. `twice` is 2 sigma^2.
std::map<std::int64_t, long double> sums_of_noise(long double twice, std::uint64_t times) {
  const auto reach = static_cast<std::int64_t>(std::ceil(std::sqrt(twice * 90)));
  std::map<std::int64_t, long double> one, sum{{0, 1}};
  long double all = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) all += one[x] = std::exp(-static_cast<long double>(x * x) / twice);
  for (std::uint64_t i = 0; i < times; ++i) {
    std::map<std::int64_t, long double> next;
    for (const auto& [x, p] : sum) {
      for (const auto& [y, q] : one) next[x + y] += p * (q / all);
    }
    sum = next;
  }
  return sum;
}

long double exact_delta(double sigma, std::uint64_t shift, std::uint64_t times, double epsilon) {
  const long double twice = 2 * static_cast<long double>(sigma) * sigma;
  long double delta = 0;
  for (const auto& [x, p] : sums_of_noise(twice, times)) {
    const long double loss =
        (static_cast<long double>(times * shift * shift) - 2 * static_cast<long double>(shift) * x) / twice;
    if (loss > epsilon) delta += p * -std::expm1(epsilon - loss);
  }
  return delta;
}

TEST(LossDistribution, FunctionsAreThoseOfTheTextbooks) {
  for (double x = 1e-12; x < 700; x *= 1.07) {
    SCOPED_TRACE(x);
    EXPECT_NEAR(exp_minus(x) / static_cast<double>(std::exp(-static_cast<long double>(x))), 1, 1e-13);
    EXPECT_NEAR(one_minus_exp_minus(x) / static_cast<double>(-std::expm1(-static_cast<long double>(x))), 1, 1e-14);
    EXPECT_NEAR(natural_log(x), static_cast<double>(std::log(static_cast<long double>(x))), 2e-14);
  }
  EXPECT_EQ(exp_minus(0), 1);
  EXPECT_EQ(exp_minus(1e9), 0);
  EXPECT_EQ(one_minus_exp_minus(0), 0);
  EXPECT_EQ(natural_log(1), 0);
}

TEST(LossDistribution, IsThatOfTheDefinition) {
  struct Case {
    double sigma;
    std::uint64_t shift, times;
    double epsilon;
  };
  for (const Case& c : {Case{1, 1, 1, 0.3},
                        {1, 1, 1, 2},
                        {1, 1, 7, 1},
                        {1, 1, 7, 9},
                        {0.25, 1, 3, 10},
                        {2, 3, 5, 4},
                        {3, 1, 40, 0},
                        {3, 1, 40, 8},
                        {1.5, 2, 11, 20},
                        {0.0625, 1, 2, 100}}) {
    SCOPED_TRACE(testing::Message() << c.sigma << " " << c.shift << " " << c.times << " " << c.epsilon);
    const auto exact = static_cast<double>(exact_delta(c.sigma, c.shift, c.times, c.epsilon));
    const double found = of(c.sigma, c.shift, c.times).delta(c.epsilon);
    EXPECT_GE(found, exact * (1 - 1e-12)) << "never less";
    EXPECT_LE(found, exact * 1.002 + 2e-24);
    const Variance noise = variance(c.sigma * c.sigma);
    const double cut = 1e-3, each = cut / static_cast<double>(c.times);
    const double rough = LossDistribution::of_noise(noise, c.shift, each).times(c.times, cut).delta(c.epsilon);
    EXPECT_GE(rough, exact * (1 - 1e-12)) << "nor where much is cut off";
    EXPECT_LE(rough, exact * 1.01 + 3 * cut);
  }
}

// Wide noise is almost that of the continuous Gaussian. A formula is known for that one.
TEST(LossDistribution, IsThatOfTheClosedFormWhereNoiseIsWide) {
  struct Case {
    double sigma;
    std::uint64_t shift, times;
  };
  for (const Case& c : {Case{300, 300, 1}, {1000, 10, 1}, {14, 1, 100}, {10, 1, 1000}, {200, 1, 60'000}, {5, 2, 300}}) {
    const double mu = static_cast<double>(c.shift) * std::sqrt(static_cast<double>(c.times)) / c.sigma;
    const LossDistribution found = of(c.sigma, c.shift, c.times);
    for (const double delta : {1e-2, 5e-6, 1e-12, 1e-18}) {
      SCOPED_TRACE(testing::Message() << c.sigma << " " << c.shift << " " << c.times << " " << delta);
      const double exact = gaussian_epsilon(mu, delta);
      EXPECT_GE(found.epsilon(delta), exact * (1 - 1e-6));
      EXPECT_LE(found.epsilon(delta), exact * (1 + 5e-4));
      if (exact == 0) continue;
      EXPECT_NEAR(found.delta(found.epsilon(delta)) / delta, 1, 1e-9) << "there and back";
    }
  }
}

// Releases of different noise: sums of squares in the closed form.
TEST(LossDistribution, AddsUpWhatIsDifferent) {
  const LossDistribution sum =
      of(14, 1, 100).with(of(40, 7, 30), kCut).with(of(9, 9, 1), kCut).with(of(900, 1, 9), kCut);
  const double mu = std::sqrt(100 / 196.0 + 30 * 49 / 1600.0 + 1 + 9 / 810'000.0);
  for (const double delta : {1e-2, 5e-6, 1e-12}) {
    const double exact = gaussian_epsilon(mu, delta);
    EXPECT_GE(sum.epsilon(delta), exact * (1 - 1e-6));
    EXPECT_LE(sum.epsilon(delta), exact * (1 + 5e-4));
  }
}

// A grid far more than ten times finer (the steps of the one used here are 1 / 128 at the end), used in another way:
// every loss rounded up, or down, and added one by one. What is true lies between the two.
TEST(LossDistribution, LiesBetweenTheRoundingsOfAFinerGrid) {
  struct Kind {
    double sigma;
    std::int64_t shift;
    int times;
  };
  const std::array<Kind, 3> kinds{{{1.5, 1, 4}, {2.5, 2, 3}, {6, 5, 2}}};
  constexpr double kStep = 1.0 / 8192;
  constexpr std::ptrdiff_t kZero = 1 << 19;
  const auto bound = [&](double epsilon, bool up) {
    std::vector<double> sum(2 * kZero), next;
    sum[kZero] = 1;
    std::ptrdiff_t low = kZero, high = kZero;
    for (const Kind& kind : kinds) {
      const double twice = 2 * kind.sigma * kind.sigma;
      const auto reach = static_cast<std::int64_t>(kind.sigma * 7);
      double all = 0;
      for (std::int64_t x = -reach; x <= reach; ++x) all += std::exp(-static_cast<double>(x * x) / twice);
      for (int i = 0; i < kind.times; ++i) {
        next.assign(sum.size(), 0);
        std::ptrdiff_t least = 0, most = 0;
        for (std::int64_t x = -reach; x <= reach; ++x) {
          const double loss = static_cast<double>(kind.shift * (kind.shift - 2 * x)) / twice / kStep;
          const auto at = static_cast<std::ptrdiff_t>(up ? std::ceil(loss) : std::floor(loss));
          const double p = std::exp(-static_cast<double>(x * x) / twice) / all;
          for (std::ptrdiff_t j = low; j <= high; ++j) next.at(static_cast<std::size_t>(j + at)) += p * sum[j];
          least = std::min(least, at);
          most = std::max(most, at);
        }
        low += least;
        high += most;
        sum.swap(next);
      }
    }
    double delta = 0;
    for (std::ptrdiff_t j = low; j <= high; ++j) {
      const double loss = static_cast<double>(j - kZero) * kStep;
      if (loss > epsilon) delta += sum[j] * -std::expm1(epsilon - loss);
    }
    return delta;
  };
  LossDistribution found = of(kinds[0].sigma, 1, 4).with(of(kinds[1].sigma, 2, 3), kCut);
  found = found.with(of(kinds[2].sigma, 5, 2), kCut);
  for (const double epsilon : {0.0, 2.0, 8.0, 12.0}) {
    SCOPED_TRACE(epsilon);
    const double low = bound(epsilon, false), high = bound(epsilon, true);
    EXPECT_LT(high / low, 1.01) << "or it says little";
    EXPECT_GE(found.delta(epsilon), low);
    EXPECT_LE(found.delta(epsilon), high);
  }
}

// Published: the values of the tests of Google's dp_accounting for its Gaussian mechanism. Wide discrete noise is that.
TEST(LossDistribution, IsWhatOthersPublished) {
  struct Published {
    std::uint64_t sensitivity;
    double epsilon, delta;
  };
  for (const Published& p : {Published{1, 1, 0.12693674}, {3, 1, 0.78760074}, {1, 2, 0.02092364}}) {
    EXPECT_NEAR(of(1000, 1000 * p.sensitivity, 1).delta(p.epsilon), p.delta, 3e-6);
    EXPECT_NEAR(of(100, 10 * p.sensitivity, 100).delta(p.epsilon), p.delta, 1e-5) << "of a hundred parts";
  }
}

// To the last bit, on every machine and with every compiler: the ledger's numbers are compared and published.
TEST(LossDistribution, IsTheSameEverywhere) {
  EXPECT_EQ(of(14, 1, 100).epsilon(5e-6), 0x1.8bcc4de83aa95p+1);
  EXPECT_EQ(of(1.5, 3, 7).with(LossDistribution::of_guarantee(0.1, 0), kCut).delta(2), 0x1.f5101510829fbp-1);
}

TEST(LossDistribution, OfAGuaranteeIsRandomizedResponse) {
  const LossDistribution one = LossDistribution::of_guarantee(2, 1e-6);
  EXPECT_EQ(one.epsilon(1e-6), 2);
  EXPECT_EQ(one.epsilon(9e-7), std::numeric_limits<double>::infinity());
  // By hand: 1 of 1 + e^-2 of the outcomes loses 2, and delta(1) = (1 - e^-1) / (1 + e^-2) beside what is lost whole.
  EXPECT_NEAR(LossDistribution::of_guarantee(2, 0).delta(1), 0.55676994, 1e-8);
  // Three times: all three 2, or two of them (Kairouz, Oh and Viswanath, theorem 3.3).
  const double p = 1 / (1 + std::exp(-2.0)), q = 1 - p;
  const double exact = p * p * p * -std::expm1(1 - 6.0) + 3 * p * p * q * -std::expm1(1 - 2.0);
  EXPECT_NEAR(LossDistribution::of_guarantee(2, 0).times(3, kCut).delta(1), exact, 1e-12);
  EXPECT_EQ(LossDistribution::of_guarantee(0, 0).with(one, kCut).epsilon(1e-5), one.epsilon(1e-5));
}

}  // namespace
}  // namespace residue::numbers
