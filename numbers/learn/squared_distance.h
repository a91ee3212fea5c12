// Squared Euclidean distance, the same bits whatever the instruction set.
#pragma once

#include <cstddef>

#include "base/simd.h"

namespace residue::numbers {

// (a - b)^2, summed in eight lanes in a fixed order. Gives up above `most` with a sum that is above it and at most the
// distance: coordinates that vary most should come first. `simd` must be supported.
using SquaredDistance = double (*)(const double* a, const double* b, std::size_t dimension, double most);
SquaredDistance squared_distance_with(Simd simd);

inline double squared_distance(const double* a, const double* b, std::size_t dimension, double most) {
  static const SquaredDistance best = squared_distance_with(best_simd());
  return best(a, b, dimension, most);
}

}  // namespace residue::numbers
