// What a sanitizer did to a text, as pieces: what stands in both, what is gone, what is new.
#pragma once

#include <string_view>

#include "base/json.h"

namespace residue::page {

// [["same"|"gone"|"new", words], ...]. The pieces that are not "gone" are the sanitized text, byte by byte; those that
// are not "new" are the original. Words are compared as they are read (text/characters/token_diff.h): a "same" piece
// that the original spells in another way, or with other spaces, has the original's spelling as a third element.
// Cost: that of token_diff() with nearby alignment.
Json word_diff(std::string_view original, std::string_view sanitized);

}  // namespace residue::page
