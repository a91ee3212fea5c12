// Spaces or signs between the letters of words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// "J o h n   i s", "J o h n", "J-o-h-n", "J.o.h.n.s.o.n": the letters together. At least four of them, not in the
// alphabet's order; where words are spaced as well, their gaps are wider, or they begin with capitals. White space is
// Unicode's; line ends are gaps where most lines have one character. Where the text is spaced so, digits and
// punctuation move as well. Initials and abbreviations stay. Nothing where there are none.
std::optional<std::string> without_spacing(std::string_view text);

}  // namespace residue::text
