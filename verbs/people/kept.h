// What became of something that a person said.
#pragma once

#include <cstdint>
#include <string_view>

namespace residue::verbs {

enum class Kept : std::uint8_t { kNew, kSame, kChanged };

inline std::string_view name_of(Kept kept) {
  return kept == Kept::kNew ? "new" : kept == Kept::kSame ? "same" : "changed";
}

}  // namespace residue::verbs
