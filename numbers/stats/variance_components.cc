#include "numbers/stats/variance_components.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace residue::numbers {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double square(double x) { return x * x; }

// A sum of squared deviations of `count` values; nothing but rounding is none. Means of values of size `largest` are
// off by parts in 1e13 or less, while distances differ by 2^-32 at least.
double unless_rounding(double sum, double count, double largest) {
  return sum <= count * square(1e-12 * largest) ? 0 : sum;
}

double largest_of(std::span<const std::vector<double>> groups) {
  double largest = 0;
  for (const auto& group : groups) {
    for (const double value : group) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

}  // namespace

std::optional<NestedVariance> nested_variance(std::span<const std::vector<double>> groups) {
  NestedVariance result;
  double sum = 0;
  double squared_sizes = 0;
  double inverse_sizes = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    ++result.groups;
    result.values += group.size();
    sum += std::accumulate(group.begin(), group.end(), 0.0);
    squared_sizes += square(static_cast<double>(group.size()));
    inverse_sizes += 1 / static_cast<double>(group.size());
  }
  if (result.groups < 2 || result.values == result.groups) return std::nullopt;
  const auto n = static_cast<double>(result.values);
  const auto k = static_cast<double>(result.groups);
  double among = 0;
  double inside = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    const double mean = mean_of(group);
    among += static_cast<double>(group.size()) * square(mean - sum / n);
    for (const double value : group) inside += square(value - mean);
  }
  const double largest = largest_of(groups);
  among = unless_rounding(among, n, largest);
  inside = unless_rounding(inside, n, largest);
  result.within = inside / (n - k);
  const double typical_size = (n - squared_sizes / n) / (k - 1);
  result.between = std::max(0.0, (among / (k - 1) - result.within) / typical_size);
  result.standard_error = std::sqrt((result.between + result.within * inverse_sizes / k) / k);
  return result;
}

std::optional<CrossedVariance> crossed_variance(std::span<const std::vector<double>> cells) {
  if (cells.size() < 2 || cells.front().size() < 2) return std::nullopt;
  const auto n = static_cast<double>(cells.size());
  const auto s = static_cast<double>(cells.front().size());
  std::vector<double> columns(cells.front().size(), 0.0);
  std::vector<double> rows;
  for (const auto& row : cells) {
    rows.push_back(mean_of(row));
    for (std::size_t j = 0; j < row.size(); ++j) columns[j] += row[j] / n;
  }
  const double grand = mean_of(rows);
  double of_rows = 0;
  double of_columns = 0;
  double rest = 0;
  for (const double row : rows) of_rows += s * square(row - grand);
  for (const double column : columns) of_columns += n * square(column - grand);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) rest += square(cells[i][j] - rows[i] - columns[j] + grand);
  }
  const double largest = largest_of(cells);
  of_rows = unless_rounding(of_rows, n * s, largest);
  of_columns = unless_rounding(of_columns, n * s, largest);
  rest = unless_rounding(rest, n * s, largest);
  CrossedVariance result;
  result.residual = rest / ((n - 1) * (s - 1));
  result.rows = std::max(0.0, (of_rows / (n - 1) - result.residual) / s);
  result.columns = std::max(0.0, (of_columns / (s - 1) - result.residual) / n);
  result.standard_error = std::sqrt(result.rows / n + result.columns / s + result.residual / (n * s));
  return result;
}

}  // namespace residue::numbers
