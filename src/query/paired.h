// Two runs on the same records: what each resampling unit adds to both sides, and the numbers that come of it.
//
//   contributions of both runs ── common records, by unit ──> PairedUnit ──> delta, interval, test, effect size
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/bootstrap.h"
#include "query/contribution.h"

namespace residue::query {

// A resampling unit (a person, where the dataset has persons, else a record): sums over its common records. The units
// of a list are distinct.
struct PairedUnit {
  std::uint64_t unit = 0;
  std::int64_t num_a = 0, den_a = 0;  // the baseline
  std::int64_t num_b = 0, den_b = 0;

  friend bool operator==(const PairedUnit&, const PairedUnit&) = default;
};

struct PairedDelta {
  std::optional<double> a, b;        // the values on common records; nothing where nothing is counted
  std::optional<double> difference;  // b - a
  std::optional<Interval> interval;  // 95 %, of b - a: percentiles of the paired Poisson bootstrap
};

// Both sides of a replicate are weighted alike (bootstrap.h), so what the runs have in common cancels out.
// `fixed_point`: numerators are in units of 2^-32 (Kind::kMean). Cost: 3 us a unit.
PairedDelta paired_delta(std::span<const PairedUnit> units, bool fixed_point);

// One number per unit whose sum is zero where both sides have the same value: (num_b - num_a) - R (den_b - den_a), R
// the value of both sides together, times R's denominator where the denominators differ. R does not change when sides
// are exchanged, and the sum orders all exchanges as the difference of the values does but for a positive factor.
// Halved until their magnitudes sum up to less than 2^62. In the order of `units`.
std::vector<std::int64_t> unit_differences(std::span<const PairedUnit> units);

}  // namespace residue::query
