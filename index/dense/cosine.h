// The cosine that decides, defined down to the last bit.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace residue::index {

// Sum of a[i] * b[i] in double, where every product is exact: eight partial sums, by i mod 8, added as
// ((0+4)+(2+6)) + ((1+5)+(3+7)). No other order, nothing fused: the same bits on every machine.
inline double dot(const float* a, const float* b, std::size_t dimension) {
  constexpr std::size_t kSums = 8;
  std::array<double, kSums> sums{};
  std::size_t i = 0;
  for (; i + kSums <= dimension; i += kSums) {
    for (std::size_t j = 0; j < kSums; ++j) sums[j] += static_cast<double>(a[i + j]) * static_cast<double>(b[i + j]);
  }
  for (std::size_t j = 0; i < dimension; ++i, ++j) sums[j] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// From a·b, a·a and b·b of finite vectors with a norm; neither overflows nor underflows. Exactly 1 for equal vectors.
inline double cosine(double ab, double aa, double bb) { return ab / std::sqrt(aa * bb); }

}  // namespace residue::index
