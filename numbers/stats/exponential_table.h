// Quantiles of the exponential distribution, the same on every machine: made from whole numbers alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace residue::numbers {

inline constexpr std::size_t kExponentials = 4096;

// Entry k is the mean of exponential(1) over the k-th of 4,096 equally probable ranges, the greatest first, in units of
// 1/256, rounded half up: 1 + (k + 1) ln(4096 / (k + 1)) - k ln(4096 / k), times 256. Its mean is 256 to within 0.01.
const std::array<std::uint16_t, kExponentials>& exponential_table();

}  // namespace residue::numbers
