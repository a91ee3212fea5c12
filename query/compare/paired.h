// Two runs on the same records: what each resampling unit adds to both sides, and the numbers that come of it.
//
//   contributions of both runs ── common records, by unit ──> PairedUnit ──> delta, interval, test, effect size
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numbers/stats/bootstrap.h"
#include "query/metric/contribution.h"

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
  std::optional<double> difference;  // b - a; 0 where they may be the same (metric_values.h), as the interval's ends
  std::optional<numbers::Interval>
      interval;  // 95 %, of b - a: the paired bootstrap, its phantom changed as much as the range allows
};

// Both sides of a replicate are weighted alike (bootstrap.h), so what the runs have in common cancels out.
// `fixed_point`: numerators are in units of 2^-32 (Kind::kMean). `range`: of the metric's values; finite. Cost: 3 us a
// unit.
PairedDelta paired_delta(std::span<const PairedUnit> units, bool fixed_point, numbers::Interval range = {0, 1});

// The power of the comparison: the least true difference that one of this size finds in four of five cases. Found: the
// interval excludes 0. The standard error is half the interval over 1.960; the share of cases adds 0.842 of it. Nothing
// without an interval.
std::optional<double> detectable_difference(const PairedDelta& delta);

// One number per unit. Sums of them, each with either sign, whose magnitudes differ by at most `slack` are equal as far
// as the numbers are known.
struct UnitDifferences {
  std::vector<std::int64_t> sizes;  // in the order of the units
  std::int64_t slack = 0;           // 0: exact
};

// Numbers whose sum is zero where both sides have the same value: (num_b - num_a) - R (den_b - den_a), R the value of
// both sides together, times R's denominator where the denominators differ. R does not change when sides are exchanged,
// and the sum orders all exchanges as the difference of the values does but for a positive factor. Halved until their
// magnitudes sum up to less than 2^62.
//
// `fixed_point` numerators are rounded, and sums of them that ought to be equal are not. Where all differences are,
// within their rounding, multiples of one fraction 1/q and of none as simple, they are told exactly, in these steps:
// means of ratings are (sixths where records have three claims). Elsewhere those that rounding explains are 0, and
// `slack` is what it can do to a sum.
UnitDifferences unit_differences(std::span<const PairedUnit> units, bool fixed_point);

}  // namespace residue::query
