// How much the documents that did not change can score after others came, went or changed around them.
//
//   score(q, d) = sum over the terms t of q of weight(t) * x(t, d), with 0 <= x(t, d) <= most(t)
//
// Only weights (idf) and the average length moved. Under the old weights no such document scored more than `rest`; so
// under the new ones none scores more than
//
//   stretch * (rest + max sum of (now - before) * x)   over all x with sum of before * x <= rest
//
// which is a fractional knapsack: filled greedily, the terms that gained most for what they weighed first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace residue::index {

// One term of the query that an unchanged document has. Weights are idf * wqf, greater than 0.
struct BoundTerm {
  double before = 0;
  double now = 0;
  double most = 1;  // of the saturations before
};

// Room for the rounding of scores: sums of a million terms err by 1e-10 of themselves.
inline constexpr double kRoundingMargin = 1 + 1e-9;

// How much a saturation tf / (tf + norm) of an unchanged document can have grown, as a factor: at least 1. Lengths
// count in proportion to the average, which grew from `before` to `now` (both greater than 0).
double saturation_stretch(double before, double now);

// The bound, never less than a score as bm25.h computes it; 0 if and only if `rest` is. Reorders `terms`.
double bound_of_rest(double rest, double stretch, std::span<BoundTerm> terms);

}  // namespace residue::index
