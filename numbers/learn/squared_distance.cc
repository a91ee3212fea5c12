#include "numbers/learn/squared_distance.h"

#include <cstring>

namespace residue::numbers {
namespace {

constexpr std::size_t kLanes = 8;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// Compiled once for each instruction set. Nothing is contracted (cmake/Settings.cmake), so all round alike.
[[gnu::always_inline]] inline double measure(const double* a, const double* b, std::size_t dimension, double most) {
  constexpr std::size_t kStretch = 4 * kLanes;  // between looks at `most`
  Lanes sums = {};
  const auto total = [&sums]() __attribute__((always_inline)) {
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
  };
  const auto add = [&sums](const double* from, const double* to, std::size_t count) __attribute__((always_inline)) {
    Lanes x = {}, y = {};
    std::memcpy(&x, from, count * sizeof(double));
    std::memcpy(&y, to, count * sizeof(double));
    const Lanes difference = x - y;
    sums += difference * difference;
  };
  std::size_t i = 0;
  while (i + kStretch <= dimension) {
    for (const std::size_t end = i + kStretch; i < end; i += kLanes) add(a + i, b + i, kLanes);
    // Rounded sums of what is not negative only grow, so the whole sum is no smaller.
    if (const double so_far = total(); so_far > most) return so_far;
  }
  for (; i + kLanes <= dimension; i += kLanes) add(a + i, b + i, kLanes);
  if (i < dimension) add(a + i, b + i, dimension - i);
  return total();
}

double portable(const double* a, const double* b, std::size_t dimension, double most) {
  return measure(a, b, dimension, most);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] double avx2(const double* a, const double* b, std::size_t dimension, double most) {
  return measure(a, b, dimension, most);
}

[[gnu::target("avx512f")]] double avx512(const double* a, const double* b, std::size_t dimension, double most) {
  return measure(a, b, dimension, most);
}
#endif

}  // namespace

SquaredDistance squared_distance_with(Simd simd) {
#if defined(__x86_64__)
  if (simd == Simd::kAvx512) return avx512;
  if (simd == Simd::kAvx2) return avx2;
#else
  static_cast<void>(simd);
#endif
  return portable;
}

}  // namespace residue::numbers
