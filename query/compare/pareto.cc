#include "query/compare/pareto.h"

#include "query/metric/metric_values.h"

namespace residue::query {
namespace {

bool dominates(const ParetoPoint& a, const ParetoPoint& b) {
  if (less_value(a.privacy, b.privacy) || less_value(a.utility, b.utility)) return false;
  return less_value(b.privacy, a.privacy) || less_value(b.utility, a.utility);
}

}  // namespace

std::vector<std::vector<std::size_t>> dominators(std::span<const std::optional<ParetoPoint>> points) {
  std::vector<std::vector<std::size_t>> result(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; points[i] && j < points.size(); ++j) {
      if (points[j] && dominates(*points[j], *points[i])) result[i].push_back(j);
    }
  }
  return result;
}

}  // namespace residue::query
