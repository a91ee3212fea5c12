// Krippendorff's alpha: agreement of any number of raters, of whom some left some things unrated.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace residue::numbers {

// How far apart two categories are: not at all comparable, ranks, or numbers at equal distances.
enum class Level : std::uint8_t { kNominal, kOrdinal, kInterval };

// 1 - observed / expected disagreement (Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011). counts[thing]
// [category]: how many raters said so; things with fewer than two ratings say nothing. `weights`: how often each thing
// counts, in units of kWeightOne (none given: once). Nothing where no two ratings can be compared, or only one category
// was used.
std::optional<double> krippendorff_alpha(std::span<const std::vector<std::uint32_t>> counts, Level level,
                                         std::span<const std::uint16_t> weights = {});

}  // namespace residue::numbers
