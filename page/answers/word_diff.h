// What a sanitizer did to a text, as pieces: what stands in both, what is gone, what is new.
#pragma once

#include <string_view>

#include "base/json.h"

namespace residue::page {

// [["same"|"gone"|"new", words], ...]. The pieces that are not "gone" are the sanitized text, byte by byte. Words are
// compared as they are read (text/characters/token_diff.h). Cost: that of token_diff().
Json word_diff(std::string_view original, std::string_view sanitized);

}  // namespace residue::page
