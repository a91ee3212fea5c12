// Where the noise of a mean comes from: records, repeated votes of a judge, seeds of the auxiliary claims.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace residue::numbers {

// One-way random effects: votes within records.
struct NestedVariance {
  double between = 0;         // of the records' true values; 0 where the estimate is negative
  double within = 0;          // of the votes on one record
  double standard_error = 0;  // of the mean over records of their mean over votes
  std::size_t groups = 0;     // with a value
  std::size_t values = 0;
};

// Analysis of variance for groups of unequal size (Searle, Casella and McCulloch, Variance Components, 3.6). Empty
// groups do not count. Nothing for fewer than two groups, or where no group has two values.
std::optional<NestedVariance> nested_variance(std::span<const std::vector<double>> groups);

// Two-way random effects without replication: every record under every seed.
struct CrossedVariance {
  double rows = 0;            // between records; each 0 where the estimate is negative
  double columns = 0;         // between seeds
  double residual = 0;        // what record and seed together do, votes included
  double standard_error = 0;  // of the grand mean, for other records and other seeds
};

// `cells[row]` has one value per column, all rows the same number. Nothing for fewer than two rows or columns.
std::optional<CrossedVariance> crossed_variance(std::span<const std::vector<double>> cells);

}  // namespace residue::numbers
