// Is the difference between two runs more than chance? The paired sign-flip test: were the runs exchangeable, each
// unit's difference could as well have had the other sign (Good, Permutation, Parametric and Bootstrap Tests of
// Hypotheses).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "query/compare/paired.h"

namespace residue::query {

inline constexpr std::size_t kFlips = 9'999;                            // drawn, where there are too many to count
inline constexpr std::size_t kMostEnumerated = 20;                      // units that differ: 2^20 assignments of signs
inline constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 24U;  // steps of counting by sums

struct PairedTest {
  double p = 1;               // two-sided; 1 where nothing differs
  bool exact = true;          // all assignments were counted; else kFlips were drawn, and the least p is 1e-4
  std::size_t differing = 0;  // units whose sides differ; the others decide nothing
};

// P(|sum of signed differences| >= |observed sum|). Exact where few units differ, or where the differences are
// multiples of few steps (shares, counts, means of ratings); otherwise (1 + hits) / (1 + kFlips) over signs drawn from
// a hash of (seed, unit, number), so the answer depends neither on order nor on threads (Phipson and Smyth 2010).
// `fixed_point` as in unit_differences(): a sum that is less than the observed one by no more than rounding is as great
// as it, so that p is never too small. Cost: 3 ms per 1,000 differing units.
PairedTest sign_flip_test(std::span<const PairedUnit> units, bool fixed_point);

}  // namespace residue::query
