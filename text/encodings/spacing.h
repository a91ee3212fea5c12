// Signs that stand for spaces, and spaces or signs between the letters of words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// What may stand for a space, or between letters.
inline constexpr std::string_view kSigns = "_.-+|/~*=#,:;^";

// "John_is_here", "John.is.here.today.again": a space for the sign, where the text has twice as many of it between
// words as it has spaces, or a chunk without spaces joins five words or more by it; for an underscore between letters
// wherever one of them is lower case; for %20. Addresses and placeholders (NAME_1) stay. Nothing where there are none.
std::optional<std::string> without_separators(std::string_view text);

// "J o h n   i s", "J o h n", "J-o-h-n", "J.o.h.n.s.o.n": the letters together. At least four of them, not in the
// alphabet's order; where words are spaced as well, their gaps are wider. Initials and abbreviations stay. Nothing
// where there are none.
std::optional<std::string> without_spacing(std::string_view text);

}  // namespace residue::text
