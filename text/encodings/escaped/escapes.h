// Characters written as the numbers that programs write for them: "\u004Aohn", "\x4aohn", "J%6Fhn", "J=6Fhn", and the
// "\n" of a text that was made JSON twice.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Nothing where there are none. \u0041, \u{41}, \U00000041 always. \x41, %41 and =41 (quoted-printable) where they
// spell a character of UTF-8 beyond ASCII, or the text is full of them: three, and for = four that stand before
// letters, where "HR=72, BP=80" has none. Bytes are UTF-8, else Windows-1252. \n, \t, \" and their like where every
// backslash of the text begins one, and there are two, or no small letter follows. Paths (C:\notes), addresses and
// single percentages stay.
std::optional<std::string> without_escapes(std::string_view text);

}  // namespace residue::text
