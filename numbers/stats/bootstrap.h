// The Poisson bootstrap: the weight of a record in replicate b is Poisson(1), drawn from a hash of (seed, unit, b),
// where the unit is the record's person if it has one, else its key. So it clusters by person, does not depend on
// ingest order, and its sums are integers that can be maintained by adding and subtracting records (METRICS rule 5).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace residue::numbers {

inline constexpr std::size_t kReplicates = 1000;
inline constexpr std::uint64_t kBootstrapSeed = 42;

// The resampling unit of a record, as a number.
std::uint64_t resampling_unit(std::string_view key, const std::optional<std::string>& person);

using Weights = std::array<std::uint8_t, kReplicates>;

// The weights of one unit in all replicates. Cost: about 1 us.
void draw_weights(std::uint64_t unit, Weights& weights);

// The weights of units that come up again, in any tier and attacker: those of the last kUnits that were drawn at least.
class DrawnWeights {
 public:
  // Valid until the next call.
  const Weights& of(std::uint64_t unit);

 private:
  static constexpr std::size_t kUnits = 16'384;
  std::unordered_map<std::uint64_t, Weights> drawn_, before_;
};

// sums[b] += weights[b] * value (wrapping arithmetic: adding and subtracting the same is exact).
void add_weighted(const Weights& weights, std::int64_t value, std::span<std::int64_t, kReplicates> sums);

struct Interval {
  double low = 0, high = 0;
};

// 2.5th and 97.5th percentile with linear interpolation between order statistics (numpy's default).
// `values` is sorted in place. Nothing if it is empty.
std::optional<Interval> percentile_interval(std::span<double> values);

// 95 %, of a statistic that resampling biases: the percentiles at Phi(2 z0 -+ 1.96), z0 the normal quantile of the
// share of `values` below `value`, ties halved (Efron, Better Bootstrap Confidence Intervals, 1987, without
// acceleration). It contains `value`. Nothing where `value` lies outside the middle 95 % of `values`, or there are
// none: then resampling says nothing about it. `values` is sorted in place.
std::optional<Interval> bias_corrected_interval(std::span<double> values, double value);

// Wilson's score interval, 95 %, for `successes` of `trials` > 0.
Interval wilson_interval(std::int64_t successes, std::int64_t trials);

// The same for a share in [0,1] of `trials` > 0 that is no whole number of them.
Interval wilson_interval_of(double share, std::int64_t trials);

}  // namespace residue::numbers
