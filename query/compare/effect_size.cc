#include "query/compare/effect_size.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace residue::query {

std::optional<double> standardized_difference(std::span<const PairedUnit> units, bool fixed_point) {
  if (units.size() < 2) return std::nullopt;
  const auto [differences, slack] = unit_differences(units, fixed_point);
  if (std::all_of(differences.begin(), differences.end(),
                  [first = differences.front()](auto one) { return one == first; })) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(differences.size());
  std::int64_t sum = 0;
  for (const std::int64_t one : differences) sum += one;
  const double mean = std::abs(sum) <= slack ? 0 : static_cast<double>(sum) / n;
  double squares = 0;
  for (const std::int64_t one : differences) {
    squares += (static_cast<double>(one) - mean) * (static_cast<double>(one) - mean);
  }
  return mean / std::sqrt(squares / (n - 1));
}

std::optional<double> dominance(std::span<const PairedUnit> units, bool fixed_point) {
  if (units.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const std::int64_t one : unit_differences(units, fixed_point).sizes) sum += (one > 0) - (one < 0);
  return static_cast<double>(sum) / static_cast<double>(units.size());
}

}  // namespace residue::query
