// What a private release of counts costs, and which noise pays for it.
//
//   (epsilon, delta) ──> rho of zero-concentrated privacy ──> equal shares ──> noise and threshold of each table
//
// A table holds a count for each of the items that occur; a unit (a record, or all records of a person) adds at most
// `items` to at most `items` counts, at most `each` to one. Neighbours: the same data with one unit more or less.
//
// * The l2 norm of what a unit adds is at most D = sqrt(items * each^2); discrete Gaussian noise of variance s^2 on
// every
//   count of items that occur in both neighbours costs rho = D^2 / (2 s^2) (C. Canonne, G. Kamath and T. Steinke, "The
//   discrete Gaussian for differential privacy", 2020, theorem 14). Tables that are made one after the other, each by
//   what was released before, add up.
// * Items that only the one unit has: their counts are at most `each`, and one is released only where noise lifts it
//   above the threshold T = each + s sqrt(2 ln(items / d)), for each of the `items` with probability at most d / items
//   by the tail of the discrete Gaussian, P(X >= x) <= exp(-x^2 / (2 s^2)). So nothing of the kind happens but with
//   probability d for a table (A. Korolova et al., "Releasing search queries and clicks privately", 2009, with this
//   noise).
// * Together: sum(d)-approximate rho-zCDP (M. Bun and T. Steinke, "Concentrated differential privacy", 2016, section
// 8),
//   which is (rho + 2 sqrt(rho ln(1 / d')), d' + sum(d)) (proposition 1.3 there): half of delta is d', the rest is
//   shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numbers/stats/discrete_gaussian.h"

namespace residue::numbers {

struct PrivacyBudget {
  double epsilon = 0;  // kLeastEpsilon to kMostEpsilon
  double delta = 0;    // kLeastDelta to 1, exclusive
};
inline constexpr double kLeastEpsilon = 0.01, kMostEpsilon = 1e6, kLeastDelta = 1e-100;

// What one unit may add to a table: at most `each` to a count, to at most `items` of them.
struct Contribution {
  std::uint64_t items = 1;
  std::uint64_t each = 1;
  std::uint64_t squared = 1;  // of the l2 norm, at most
  std::uint64_t total = 0;    // to all counts together, at most; 0: items * each
};

struct TableNoise {
  Variance variance;
  std::int64_t threshold = 0;  // counts with their noise are released above it
};

struct Accounting {
  double rho = 0;               // of all tables together
  double conversion_delta = 0;  // d'
  double table_delta = 0;       // d, of each table
  std::vector<TableNoise> tables;
};

// For tables in the order of `contributions`. Variances and thresholds are rounded up.
Accounting account(const PrivacyBudget& budget, std::span<const Contribution> contributions);

}  // namespace residue::numbers
