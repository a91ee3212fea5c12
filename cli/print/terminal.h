// What reaches a terminal must not drive it: the one place through which results go on their way there.
#pragma once

#include <string>
#include <string_view>

namespace residue::cli {

// The styles of our own; nothing else that begins with ESC gets through.
inline constexpr std::string_view kBold = "\x1b[1m";
inline constexpr std::string_view kMarked = "\x1b[1;31m";
inline constexpr std::string_view kPlain = "\x1b[0m";

enum class Spelling { kText, kJson };

// `bytes` with everything spelled out that would drive a terminal, as \x9b and \u{202e}, in JSON as \u009b. Line feeds
// and tabs stay, and with `styles` those of our own.
std::string for_terminal(std::string_view bytes, Spelling spelling, bool styles);

}  // namespace residue::cli
