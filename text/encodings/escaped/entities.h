// HTML's character references: &eacute; &#233; &#xE9; and those that stand for them (&amp;eacute;).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Nothing where there are none. Names are those of HTML 4's Latin letters and of ASCII's signs in HTML 5; an unknown
// one stays. Numbers need no semicolon, as in browsers; 128 to 159 are Windows-1252's. Nested four deep at most.
std::optional<std::string> without_entities(std::string_view text);

}  // namespace residue::text
