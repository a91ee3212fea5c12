// Do two lists of counts have one distribution? Pearson's chi-squared test of a contingency table with two rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace residue::query {

struct ChiSquared {
  double statistic = 0;
  double p = 1;
  std::uint32_t freedom = 0;
};

// Columns in which both are 0 are left out. With `yates`, tables of one degree of freedom get Yates's correction for
// continuity. Nothing where fewer than two columns are left, or a row is empty. `a` and `b` are of one length.
std::optional<ChiSquared> chi_squared_contingency(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                                  bool yates = true);

// Two-sided p of Spearman's rho of n pairs, by Student's t with n - 2 degrees of freedom. Nothing for n < 3.
std::optional<double> spearman_p(double rho, std::uint64_t n);

}  // namespace residue::query
