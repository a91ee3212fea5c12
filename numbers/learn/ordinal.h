// Ordinal logistic regression of three grades (proportional odds): P(grade > k | x) = logistic(x . slopes - threshold
// k).
//
//   rows of features, grades ── fit_ordinal ──> slopes, two thresholds ── even_thresholds ──> where ratings change
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace residue::numbers {

struct OrdinalFit {
  std::vector<double> slopes;          // Of the features as they were given.
  std::array<double, 2> thresholds{};  // Ascending.
};

// `rows` holds grades.size() rows one after the other, all of the same length; grades are 0, 1 and 2, each at least
// once. Maximizes the likelihood less ridge/2 times the squared slopes of standardized features. Deterministic.
OrdinalFit fit_ordinal(std::span<const double> rows, std::span<const std::uint8_t> grades, double ridge);

// Where the most likely grade changes if all three were equally frequent (`shares`: how frequent they were in the fit).
// Those of the labels say nothing about how often a release supports a claim.
std::array<double, 2> even_thresholds(const OrdinalFit& fit, const std::array<double, 3>& shares);

}  // namespace residue::numbers
