// What a person may read: DESIGN's three levels.
#pragma once

#include <optional>
#include <string_view>

namespace residue::query {

enum class Level {
  kReleased,   // texts of runs other than the controls
  kClaims,     // also claims, labels, answers of models, and what attackers know
  kOriginals,  // all
};

// Nothing for another word.
std::optional<Level> level_of(std::string_view word);
std::string_view word_of(Level level);

}  // namespace residue::query
