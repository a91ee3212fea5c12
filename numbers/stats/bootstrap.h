// The bootstrap over persons: in replicate b a unit weighs exponential(1), drawn from a hash of (seed, unit, b), where
// the unit is the record's person if it has one, else its key. So it clusters by person, does not depend on ingest
// order, and its sums are integers that can be maintained by adding and subtracting records.
//
// Resampling what was seen cannot show what was not: near the ends of a range, and for the worst records, its intervals
// are too narrow. Each replicate therefore gets a phantom, one person more who is like nobody: as leaky as the metric
// allows for one end of the interval, as private as it allows for the other.
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

inline constexpr std::int64_t kWeightOne = 256;  // the weight 1: weights are in units of 1/256

using Weights = std::array<std::uint16_t, kReplicates>;

// The weights of one unit in all replicates: four from each SplitMix64 output, by exponential_table.h. At most 2385.
// Cost: about 0.5 us.
void draw_weights(std::uint64_t unit, Weights& weights);

// The phantom's unit ("phantom" in ASCII), which no key and no person hashes to but by chance, and its weights.
inline constexpr std::uint64_t kPhantomUnit = 0x7068616e746f6d;
const Weights& phantom_weights();

// The phantom's share of `total` in replicate b, which `units` units have together: weight * total / units, halves up.
std::int64_t phantom_share(std::size_t b, std::int64_t total, std::int64_t units);

// The weights of units that come up again, in any tier and attacker: those of the last kUnits that were drawn at least.
class DrawnWeights {
 public:
  // Valid until the next call.
  const Weights& of(std::uint64_t unit);

 private:
  static constexpr std::size_t kUnits = 16'384;
  std::unordered_map<std::uint64_t, Weights> drawn_, before_;
};

using ReplicateSums = std::array<std::int64_t, kReplicates>;

// sums[b] += weights[b] * value (wrapping arithmetic: adding and subtracting the same is exact).
void add_weighted(const Weights& weights, std::int64_t value, std::span<std::int64_t, kReplicates> sums);

struct Interval {
  double low = 0, high = 0;
};

// 2.5th and 97.5th percentile with linear interpolation between order statistics (numpy's default).
// `values` is reordered. Nothing if it is empty.
std::optional<Interval> percentile_interval(std::span<double> values);

// 95 %: from the 2.5th percentile of `lows` to the 97.5th of `highs`, replicates with the phantom at the least and at
// the greatest value; widened to hold `value`. Both are reordered, and not empty.
Interval phantom_interval(std::span<double> lows, std::span<double> highs, double value);

// A ratio of two sums over units, and its 95 % interval.
struct SampledRatio {
  const ReplicateSums& num;
  const ReplicateSums& den;
  std::int64_t total = 0;                // the denominator, unweighted, > 0
  std::int64_t units = 0;                // how many units there are, > 0
  std::int64_t least = 0, greatest = 0;  // what one of the denominator can have in the numerator
  double one = 1;                        // what the ratio is divided by in the end (2^32 for fixed-point numerators)
};
Interval ratio_interval(const SampledRatio& ratio, double value);

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
