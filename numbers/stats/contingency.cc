#include "query/contingency.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "query/distributions.h"

namespace residue::query {

std::optional<ChiSquared> chi_squared_contingency(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                                  bool yates) {
  const double in_a = std::accumulate(a.begin(), a.end(), 0.0);
  const double in_b = std::accumulate(b.begin(), b.end(), 0.0);
  std::uint32_t columns = 0;
  for (std::size_t i = 0; i < a.size(); ++i) columns += a[i] + b[i] > 0;
  if (columns < 2 || in_a == 0 || in_b == 0) return std::nullopt;
  ChiSquared result;
  result.freedom = columns - 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] + b[i] == 0) continue;
    const double column = static_cast<double>(a[i]) + static_cast<double>(b[i]);
    for (const auto& [count, row] : {std::pair(a[i], in_a), std::pair(b[i], in_b)}) {
      const double expected = column * row / (in_a + in_b);
      double off = std::abs(static_cast<double>(count) - expected);
      if (yates && result.freedom == 1) off -= std::min(0.5, off);
      result.statistic += off * off / expected;
    }
  }
  result.p = chi_squared_tail(result.statistic, result.freedom);
  return result;
}

std::optional<double> spearman_p(double rho, std::uint64_t n) {
  if (n < 3) return std::nullopt;
  if (std::abs(rho) >= 1) return 0.0;
  const auto freedom = static_cast<double>(n - 2);
  return student_two_sided(rho * std::sqrt(freedom / ((1 - rho) * (1 + rho))), freedom);
}

}  // namespace residue::query
