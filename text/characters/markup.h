// Text as HTML and XML take it.
#pragma once

#include <string>
#include <string_view>

namespace residue::text {

// The characters that mean something there as entities: safe between tags and in quoted attributes. Control characters
// stay: escape_controls() (unicode.h) spells them.
std::string escape_markup(std::string_view text);

}  // namespace residue::text
