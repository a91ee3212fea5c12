#include "query/effect_size.h"

#include <algorithm>
#include <cmath>

namespace residue::query {

std::optional<double> standardized_difference(std::span<const PairedUnit> units) {
  if (units.size() < 2) return std::nullopt;
  const std::vector<std::int64_t> differences = unit_differences(units);
  if (std::all_of(differences.begin(), differences.end(), [&](auto one) { return one == differences.front(); })) {
    return std::nullopt;
  }
  const auto n = static_cast<double>(differences.size());
  std::int64_t sum = 0;
  for (const std::int64_t one : differences) sum += one;
  const double mean = static_cast<double>(sum) / n;
  double squares = 0;
  for (const std::int64_t one : differences) {
    squares += (static_cast<double>(one) - mean) * (static_cast<double>(one) - mean);
  }
  return mean / std::sqrt(squares / (n - 1));
}

std::optional<double> dominance(std::span<const PairedUnit> units) {
  if (units.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const std::int64_t one : unit_differences(units)) sum += (one > 0) - (one < 0);
  return static_cast<double>(sum) / static_cast<double>(units.size());
}

double cohen_h(double a, double b) { return 2 * std::asin(std::sqrt(b)) - 2 * std::asin(std::sqrt(a)); }

}  // namespace residue::query
