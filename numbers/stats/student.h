// Quantiles of Student's distribution, from a table.
#pragma once

#include <array>
#include <cstddef>

namespace residue::numbers {

// The 97.5th percentile for `freedom` >= 1 degrees of freedom; above 30 that of the normal distribution.
constexpr double student_quantile(std::size_t freedom) {
  constexpr std::array kTable = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                 2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  return freedom <= kTable.size() ? kTable[freedom - 1] : 1.960;
}

}  // namespace residue::numbers
