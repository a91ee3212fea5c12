// How far sanitized texts are about the same kinds of things as the originals: two distributions over categories,
// compared by their chi-squared distance (FSP 3.1.1).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace residue::query {

// 1 - chi2(o, s) / chi2(o, uniform). 1: the same distribution, 0: no nearer than the uniform one, below 0: farther.
// chi2 is the sum of (s - o)^2 / (s + o) over all categories where either occurs, `s` scaled to `o`'s total. `lost`
// sanitized texts have no category: they count as one that no original has, which is the worst that they could be.
// Nothing where it is undefined: no originals, no sanitized texts, or originals that are uniform.
std::optional<double> category_preservation(std::span<const std::int64_t> original,
                                            std::span<const std::int64_t> sanitized, std::int64_t lost);

// The highest value that any categories of the lost texts would give. Cost: lost x categories.
std::optional<double> best_category_preservation(std::span<const std::int64_t> original,
                                                 std::span<const std::int64_t> sanitized, std::int64_t lost);

}  // namespace residue::query
