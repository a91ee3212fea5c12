#include "query/sql/extension/level.h"

#include <array>

namespace residue::query {
namespace {

constexpr std::array<std::string_view, 3> kWords = {"released", "claims", "originals"};

}  // namespace

std::optional<Level> level_of(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == word) return static_cast<Level>(i);
  }
  return std::nullopt;
}

std::string_view word_of(Level level) { return kWords[static_cast<std::size_t>(level)]; }

}  // namespace residue::query
