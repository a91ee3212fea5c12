#include "numbers/stats/krippendorff.h"

#include <cstddef>
#include <numeric>

#include "numbers/stats/bootstrap.h"

namespace residue::numbers {
namespace {

// Squared distance of categories a < b that were used `used` times.
double distance(const std::vector<double>& used, std::size_t a, std::size_t b, Level level) {
  if (level == Level::kNominal) return 1;
  if (level == Level::kInterval) return static_cast<double>((b - a) * (b - a));
  double between = -(used[a] + used[b]) / 2;
  for (std::size_t k = a; k <= b; ++k) between += used[k];
  return between * between;
}

}  // namespace

std::optional<double> krippendorff_alpha(std::span<const std::vector<std::uint32_t>> counts, Level level,
                                         std::span<const std::uint16_t> weights) {
  if (counts.empty()) return std::nullopt;
  const std::size_t categories = counts.front().size();
  std::vector<double> used(categories, 0.0);
  std::vector<double> together(categories * categories, 0.0);  // pairs of ratings of one thing, per other rater
  for (std::size_t thing = 0; thing < counts.size(); ++thing) {
    const auto& row = counts[thing];
    const double ratings = std::accumulate(row.begin(), row.end(), 0.0);
    if (ratings < 2) continue;
    const double weight = weights.empty() ? 1 : weights[thing] / static_cast<double>(kWeightOne);
    for (std::size_t a = 0; a < categories; ++a) {
      used[a] += weight * row[a];
      for (std::size_t b = a + 1; b < categories; ++b) {
        together[a * categories + b] += weight * row[a] * row[b] / (ratings - 1);
      }
    }
  }
  const double all = std::accumulate(used.begin(), used.end(), 0.0);
  double observed = 0;
  double expected = 0;
  for (std::size_t a = 0; a < categories; ++a) {
    for (std::size_t b = a + 1; b < categories; ++b) {
      const double apart = distance(used, a, b, level);
      observed += apart * together[a * categories + b];
      expected += apart * used[a] * used[b] / (all - 1);
    }
  }
  if (expected == 0 || all < 2) return std::nullopt;
  return 1 - observed / expected;
}

}  // namespace residue::numbers
