#include "query/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "query/bootstrap_kernels.h"

namespace residue::query {
namespace {

const BootstrapKernels& kernels() {
  static const BootstrapKernels& best = bootstrap_kernels(index::best_simd());
  return best;
}

}  // namespace

std::uint64_t resampling_unit(std::string_view key, const std::optional<std::string>& person) {
  return person ? hash_of(kBootstrapSeed, *person, 1) : hash_of(kBootstrapSeed, key, 0);
}

void draw_weights(std::uint64_t unit, Weights& weights) { kernels().draw(unit, weights); }

void add_weighted(const Weights& weights, std::int64_t value, std::span<std::int64_t, kReplicates> sums) {
  if (value != 0) kernels().add(weights, value, sums);
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
  return wilson_interval_of(static_cast<double>(successes) / static_cast<double>(trials), trials);
}

Interval wilson_interval_of(double p, std::int64_t trials) {
  constexpr double kZ = 1.959963984540054;  // 97.5th percentile of the normal distribution
  const auto n = static_cast<double>(trials);
  const double z2 = kZ * kZ;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  // At the ends the exact bound is 0 or 1; rounding would give something beside it.
  return {p <= 0 ? 0.0 : std::max(0.0, centre - half), p >= 1 ? 1.0 : std::min(1.0, centre + half)};
}

}  // namespace residue::query
