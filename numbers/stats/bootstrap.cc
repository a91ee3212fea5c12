#include "numbers/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "numbers/stats/bootstrap_kernels.h"
#include "numbers/stats/exponential_table.h"

namespace residue::numbers {
namespace {

constexpr double kZ = 1.959963984540054;  // 97.5th percentile of the normal distribution

double normal(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

// By halving: infinite at 0 and 1.
double normal_quantile(double p) {
  double low = -40, high = 40;
  if (p <= 0 || p >= 1) return p <= 0 ? -HUGE_VAL : HUGE_VAL;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (normal(middle) < p ? low : high) = middle;
  }
  return (low + high) / 2;
}

// Reorders `values`.
double at_quantile(std::span<double> values, double quantile) {
  const double position = quantile * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), middle, values.end());
  if (below + 1 == values.size()) return *middle;
  const double above = *std::min_element(middle + 1, values.end());
  return *middle + (above - *middle) * fraction;
}

const BootstrapKernels& kernels() {
  static const BootstrapKernels& best = bootstrap_kernels(best_simd());
  return best;
}

}  // namespace

std::uint64_t resampling_unit(std::string_view key, const std::optional<std::string>& person) {
  return person ? hash_of(kBootstrapSeed, *person, 1) : hash_of(kBootstrapSeed, key, 0);
}

void draw_weights(std::uint64_t unit, Weights& weights) {
  static_assert(kReplicates % 4 == 0);
  const auto& table = exponential_table();
  for (std::size_t i = 0; i < kReplicates / 4; ++i) {
    const std::uint64_t bits = mix(unit + i * 0x9e3779b97f4a7c15ULL);
    for (std::size_t j = 0; j < 4; ++j) weights[4 * i + j] = table[(bits >> (16 * j)) % kExponentials];
  }
}

const Weights& phantom_weights() {
  static const Weights weights = [] {
    Weights drawn;
    draw_weights(kPhantomUnit, drawn);
    return drawn;
  }();
  return weights;
}

std::int64_t phantom_share(std::size_t b, std::int64_t total, std::int64_t units) {
  return (2 * std::int64_t{phantom_weights()[b]} * total + units) / (2 * units);
}

const Weights& DrawnWeights::of(std::uint64_t unit) {
  const auto [place, is_new] = drawn_.try_emplace(unit);
  if (!is_new) return place->second;
  if (const auto old = before_.find(unit); old != before_.end()) {
    place->second = old->second;
  } else {
    draw_weights(unit, place->second);
  }
  if (drawn_.size() <= kUnits) return place->second;
  before_ = std::move(drawn_);
  drawn_.clear();
  return before_.at(unit);
}

void add_weighted(const Weights& weights, std::int64_t value, std::span<std::int64_t, kReplicates> sums) {
  if (value != 0) kernels().add(weights, value, sums);
}

std::optional<Interval> percentile_interval(std::span<double> values) {
  if (values.empty()) return std::nullopt;
  const double low = at_quantile(values, 0.025);
  return Interval{low, at_quantile(values, 0.975)};
}

Interval phantom_interval(std::span<double> lows, std::span<double> highs, double value) {
  return {std::min(value, at_quantile(lows, 0.025)), std::max(value, at_quantile(highs, 0.975))};
}

Interval ratio_interval(const SampledRatio& ratio, double value) {
  std::vector<double> lows, highs;
  lows.reserve(kReplicates);
  highs.reserve(kReplicates);
  for (std::size_t b = 0; b < kReplicates; ++b) {
    const std::int64_t more = phantom_share(b, ratio.total, ratio.units);
    if (ratio.den[b] + more == 0) continue;
    const auto den = static_cast<double>(ratio.den[b] + more);
    lows.push_back(static_cast<double>(ratio.num[b] + more * ratio.least) / den / ratio.one);
    highs.push_back(static_cast<double>(ratio.num[b] + more * ratio.greatest) / den / ratio.one);
  }
  return phantom_interval(lows, highs, value);
}

std::optional<Interval> bias_corrected_interval(std::span<double> values, double value) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto [first, last] = std::equal_range(values.begin(), values.end(), value);
  const auto below = static_cast<double>(first - values.begin());
  const auto equal = static_cast<double>(last - first);
  const double z0 = normal_quantile((below + equal / 2) / static_cast<double>(values.size()));
  if (std::abs(z0) > kZ) return std::nullopt;
  // Between two order statistics the ends could come to lie beside it.
  return Interval{std::min(value, at_quantile(values, normal(2 * z0 - kZ))),
                  std::max(value, at_quantile(values, normal(2 * z0 + kZ)))};
}

Interval wilson_interval(std::int64_t successes, std::int64_t trials) {
  return wilson_interval_of(static_cast<double>(successes) / static_cast<double>(trials), trials);
}

Interval wilson_interval_of(double p, std::int64_t trials) {
  const auto n = static_cast<double>(trials);
  const double z2 = kZ * kZ;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kZ / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  // At the ends the exact bound is 0 or 1; rounding would give something beside it.
  return {p <= 0 ? 0.0 : std::max(0.0, centre - half), p >= 1 ? 1.0 : std::min(1.0, centre + half)};
}

}  // namespace residue::numbers
