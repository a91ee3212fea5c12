#include "model/tasks/votes.h"

#include <array>

namespace residue::model {

std::optional<std::uint8_t> mode(std::span<const std::uint8_t> ratings, std::size_t missing) {
  std::array<std::size_t, 4> counts{};
  for (const std::uint8_t rating : ratings) ++counts.at(rating);
  std::uint8_t best = 1;
  for (const std::uint8_t rating : {std::uint8_t{2}, std::uint8_t{3}}) {
    if (counts[rating] > counts[best]) best = rating;
  }
  if (counts[best] == 0) return std::nullopt;
  for (std::uint8_t other = 1; other <= 3; ++other) {
    if (other == best) continue;
    const std::size_t most = counts[other] + missing;
    if (most > counts[best] || (most == counts[best] && other < best)) return std::nullopt;
  }
  return best;
}

}  // namespace residue::model
