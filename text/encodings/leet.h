// Digits and signs in place of the letters that they look like: "J0hn", "p@t13nt".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// A digit or sign becomes its letter (0 o, 1 i or l, 3 e, 4 a, 5 s, 7 t, @ a, $ s, ! i, | l, + t, and beside these 2 z,
// 6 g, 8 b, 9 g) inside words with letters, where the text hardly has the letter itself, of two letters or more, and a
// frequent word comes out ("7h3", "4nd"). 0, 1, 3, 4, 5 and 7 also in a single word of four letters or more where they
// stand one by one between small ones. 1 is the letter of i and l that is missing; where both are, l between vowels.
// Codes (H1N1, covid19, 4th, log4j), numbers and addresses stay. Nothing where there are none.
std::optional<std::string> without_leet(std::string_view text);

}  // namespace residue::text
