// How large a difference is, beside how certain.
#pragma once

#include <optional>
#include <span>

#include "query/compare/paired.h"

namespace residue::query {

// Cohen's d_z: the mean of the units' differences (paired.h) over their standard deviation (n - 1). Positive where the
// second side is greater, 0 where the sides may be the same. Nothing for fewer than two units, or where all differ by
// the same. `fixed_point` as in unit_differences().
std::optional<double> standardized_difference(std::span<const PairedUnit> units, bool fixed_point);

// Share of units whose second side is greater minus share of those whose first is: in [-1, 1], insensitive to outliers.
// Nothing without units.
std::optional<double> dominance(std::span<const PairedUnit> units, bool fixed_point);

}  // namespace residue::query
