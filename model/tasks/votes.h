// Votes: several ratings of one claim become one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace residue::model {

// The most frequent rating, of equals the lowest (leaked). Nothing where votes are missing (failed) that could have
// changed it: what could not be asked is not made up.
std::optional<std::uint8_t> mode(std::span<const std::uint8_t> ratings, std::size_t missing);

}  // namespace residue::model
