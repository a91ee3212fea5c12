// Which runs are worth choosing: no other run is as private and as useful, and better in one of the two.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace residue::query {

// A run by two numbers, both larger = better.
struct ParetoPoint {
  double privacy = 0, utility = 0;
};

// For each point the points that dominate it, ascending; empty: it is on the frontier. Points without values (nothing)
// dominate none and are dominated by none. Better is better beyond rounding (metric_values.h). Cost: the square of
// their number.
std::vector<std::vector<std::size_t>> dominators(std::span<const std::optional<ParetoPoint>> points);

}  // namespace residue::query
