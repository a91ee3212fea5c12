// Signs that stand for spaces: "John_is_here".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// "John_is_here", "John.is.here.today.again", "John__is": a space for the sign, where the text has twice as many of it
// between words as it has spaces, or a chunk without spaces joins five words or more by it; for an underscore between
// letters wherever one of them is lower case. "John - is - here": signs by themselves go where they stand between
// nearly all words. Addresses and placeholders (NAME_1) stay. Nothing where there are none.
std::optional<std::string> without_separators(std::string_view text);

}  // namespace residue::text
