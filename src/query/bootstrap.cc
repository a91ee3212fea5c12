#include "query/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace residue::query {
namespace {

// P(Poisson(1) <= k) * 2^32, rounded: a 32-bit draw u has weight = number of thresholds <= u.
// exp(-1) * (1, 2, 2.5, 2.6667, 2.70833, 2.71667, 2.71806, 2.71825, 2.71828, 2.718282, 2.7182818)
constexpr std::array<std::uint32_t, 11> kThresholds = {1580030169U, 3160060337U, 3950075422U, 4213413783U,
                                                       4279248374U, 4292415292U, 4294609778U, 4294923276U,
                                                       4294962463U, 4294966817U, 4294967253U};

}  // namespace

std::uint64_t resampling_unit(std::string_view key, const std::optional<std::string>& person) {
  return person ? hash_of(kBootstrapSeed, *person, 1) : hash_of(kBootstrapSeed, key, 0);
}

void draw_weights(std::uint64_t unit, Weights& weights) {
  std::array<std::uint32_t, kReplicates> draws;
  for (std::size_t i = 0; i < kReplicates / 2; ++i) {
    const std::uint64_t bits = mix(unit + i * 0x9e3779b97f4a7c15ULL);
    draws[2 * i] = static_cast<std::uint32_t>(bits);
    draws[2 * i + 1] = static_cast<std::uint32_t>(bits >> 32U);
  }
  for (std::size_t b = 0; b < kReplicates; ++b) {
    std::uint32_t weight = 0;
    for (const std::uint32_t threshold : kThresholds) weight += draws[b] >= threshold ? 1U : 0U;
    weights[b] = static_cast<std::uint8_t>(weight);
  }
}

void add_weighted(const Weights& weights, std::int64_t value, std::span<std::int64_t, kReplicates> sums) {
  if (value == 0) return;
  const auto factor = static_cast<std::uint64_t>(value);
  for (std::size_t b = 0; b < kReplicates; ++b) {
    sums[b] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[b]) + weights[b] * factor);
  }
}

std::optional<Interval> percentile_interval(std::span<double> values) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto at = [&](double quantile) {
    const double position = quantile * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double fraction = position - static_cast<double>(below);
    return values[below] + (values[above] - values[below]) * fraction;
  };
  return Interval{at(0.025), at(0.975)};
}

Interval wilson_interval(std::int64_t successes, std::int64_t trials) {
  constexpr double kZ = 1.959963984540054;  // 97.5th percentile of the normal distribution
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double z2 = kZ * kZ;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  // At the ends the exact bound is 0 or 1; rounding would give something beside it.
  return {successes == 0 ? 0.0 : std::max(0.0, centre - half),
          successes == trials ? 1.0 : std::min(1.0, centre + half)};
}

}  // namespace residue::query
