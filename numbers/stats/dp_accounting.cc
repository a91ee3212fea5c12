#include "numbers/stats/dp_accounting.h"

#include <algorithm>
#include <cmath>

namespace residue::numbers {

// rho + 2 sqrt(rho L) = epsilon, solved for sqrt(rho) without the difference of two near numbers.
Accounting account(const PrivacyBudget& budget, std::span<const Contribution> contributions) {
  const auto tables = static_cast<double>(contributions.size());
  Accounting out;
  out.conversion_delta = budget.delta / 2;
  out.table_delta = budget.delta / 2 / tables;
  const double log = -std::log(out.conversion_delta);
  const double root = budget.epsilon / (std::sqrt(log + budget.epsilon) + std::sqrt(log));
  out.rho = root * root;
  for (const Contribution& unit : contributions) {
    const double variance = static_cast<double>(unit.squared) / (2 * out.rho / tables);
    const double scaled = std::ceil(variance * static_cast<double>(Variance::kUnit) * (1 + 1e-12));
    TableNoise table;
    table.variance.scaled = static_cast<std::uint64_t>(std::clamp(scaled, 1.0, static_cast<double>(Variance::kMost)));
    const double tail =
        std::sqrt(2 * table.variance.value() * std::log(static_cast<double>(unit.items) / out.table_delta));
    table.threshold = static_cast<std::int64_t>(unit.each) + static_cast<std::int64_t>(std::ceil(tail));
    out.tables.push_back(table);
  }
  return out;
}

}  // namespace residue::numbers
