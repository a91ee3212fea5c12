// Words whose first letters are capitals in place of spaces: "KelvinLivesInOslo".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// With spaces, where a chunk without spaces has at least three capitals behind small letters or digits, and the text
// has three times as many such as spaces. Nothing where there are none. Codes with as many capitals as small letters
// stay.
std::optional<std::string> without_joined_words(std::string_view text);

}  // namespace residue::text
