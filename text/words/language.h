// Whether a text is obviously not English: for those who can only read English.
#pragma once

#include <string_view>

namespace residue::text {

// True where most letters, and ten at least, are not Latin, or where of thirty words or more fewer than one in fifty is
// a common English function word, and one in twelve is one of other languages or one in five has a letter with an
// accent. Words that English shares (in, is, a, was ...) are not counted. Short texts, lists of names, and notes
// without function words may be of any language: false. A rule of thumb. Cost: one pass.
bool obviously_not_english(std::string_view text);

}  // namespace residue::text
