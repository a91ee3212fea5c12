#include "query/score/category_preservation.h"

#include <limits>
#include <numeric>
#include <vector>

namespace residue::query {
namespace {

double part(double o, double s) { return o + s > 0 ? (s - o) * (s - o) / (s + o) : 0; }

std::int64_t total(std::span<const std::int64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

std::optional<double> category_preservation(std::span<const std::int64_t> original,
                                            std::span<const std::int64_t> sanitized, std::int64_t lost) {
  const std::int64_t originals = total(original), texts = total(sanitized) + lost;
  if (originals == 0 || texts == 0) return std::nullopt;
  const double scale = static_cast<double>(originals) / static_cast<double>(texts);
  const double uniform = static_cast<double>(originals) / static_cast<double>(original.size());
  double distance = part(0, static_cast<double>(lost) * scale), most = 0;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const auto o = static_cast<double>(original[i]);
    distance += part(o, static_cast<double>(sanitized[i]) * scale);
    most += part(o, uniform);
  }
  if (most == 0) return std::nullopt;
  return 1 - distance / most;
}

// Each part of chi2 is convex in its count, so the texts can be given out one by one, each to where it costs least.
std::optional<double> best_category_preservation(std::span<const std::int64_t> original,
                                                 std::span<const std::int64_t> sanitized, std::int64_t lost) {
  const std::int64_t originals = total(original), texts = total(sanitized) + lost;
  if (originals == 0 || texts == 0) return std::nullopt;
  const double scale = static_cast<double>(originals) / static_cast<double>(texts);
  std::vector<std::int64_t> counts(sanitized.begin(), sanitized.end());
  for (std::int64_t given = 0; given < lost; ++given) {
    std::size_t cheapest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto o = static_cast<double>(original[i]), s = static_cast<double>(counts[i]);
      const double cost = part(o, (s + 1) * scale) - part(o, s * scale);
      if (cost < least) {
        least = cost;
        cheapest = i;
      }
    }
    ++counts[cheapest];
  }
  return category_preservation(original, counts, 0);
}

}  // namespace residue::query
