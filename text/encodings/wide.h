// ASCII's characters as wide as East Asian ones, "Ｊｏｈｎ　Ｓｍｉｔｈ．", and as tags, which nobody sees.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Narrow, the ideographic space too, where at least four are letters and the text has more of these than characters of
// East Asian scripts. Nothing where there are none.
std::optional<std::string> without_wide(std::string_view text);

}  // namespace residue::text
