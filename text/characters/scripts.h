// In which script a text is written. Words of one script never equal words of another: who compares words cannot say
// that a Russian text is silent about an English claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace residue::text {

// A number for each script, equal for those that one language mixes (Chinese characters and kana).
using Script = std::int32_t;
inline constexpr Script kNoScript = -1;

// The script of most letters; kNoScript where there are fewer than `least`. Cost: one pass, fast for ASCII.
Script main_script(std::string_view text, std::size_t least);

// Letters that say in which script a claim, and a text, is written.
inline constexpr std::size_t kClaimLetters = 3;
inline constexpr std::size_t kTextLetters = 10;

// Neither is written in a script of its own.
constexpr bool comparable(Script a, Script b) { return a == b || a == kNoScript || b == kNoScript; }

}  // namespace residue::text
