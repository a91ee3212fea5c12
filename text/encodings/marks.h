// Marks above, below and through letters: "S̶m̶i̶t̶h̶", "H̖̗ő̑l̖̗t̖̗".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Without combining marks, where at least four consonants and one in eight have such as no alphabet puts on them
// (Unicode has no character for the two; m, n and g may have any). Marks of alphabets go as well where half of the
// letters have one. Nothing where there are none.
std::optional<std::string> without_marks(std::string_view text);

}  // namespace residue::text
