// Whether a text is obviously not English: for those who can only read English.
#pragma once

#include <string_view>

namespace residue::text {

// True where most letters, and ten at least, are not Latin, or where of thirty words or more fewer than one in fifty is
// a common English function word. Words that other languages have as well (in, is, a, was ...) are not counted. Short
// texts and lists of names may be of any language: false. A rule of thumb: English prose has about one in four.
// Cost: one pass.
bool obviously_not_english(std::string_view text);

}  // namespace residue::text
