// Placeholders: what sanitizers leave where words stood ([NAME], <PERSON>, {{DATE}}, XXXX, NAME_1, REDACTED).
#pragma once

#include <cstddef>
#include <string_view>

namespace residue::text {

// The words that stand for masked ones without brackets, in small letters.
inline constexpr std::string_view kMaskWords = "redacted anonymized anonymised deidentified";

// The end of the placeholder that the opening bracket ('[', '<', '{') at `at` begins, or `at`: capitals, digits and
// joints only, at least two capitals, at most 40 bytes; or the words that sanitizers write in lower case.
std::size_t placeholder_end(std::string_view text, std::size_t at);

// XXXX and NAME_1: what sanitizers leave without brackets. `word` is ASCII and not empty.
bool is_placeholder(std::string_view word);

}  // namespace residue::text
