// The logistic function from products alone: std::exp may differ in its last bit between C libraries, and what is
// computed with it is stored.
#pragma once

#include <algorithm>

namespace residue::numbers {

// (1 + x/1024)^1024, for x cut to [-30, 30].
inline double exponential(double x) {
  double power = 1.0 + std::clamp(x, -30.0, 30.0) / 1024.0;
  for (int i = 0; i < 10; ++i) power *= power;
  return power;
}

inline double logistic(double x) { return 1.0 / (1.0 + exponential(-x)); }

}  // namespace residue::numbers
