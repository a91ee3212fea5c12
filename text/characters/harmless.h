// Which characters drive a terminal, and how they are spelled instead.
#pragma once

#include <string>
#include <string_view>

namespace residue::text {

// Controls (C0, C1, DEL), and characters that nobody sees and that reorder or break what stands around them: marks,
// embeddings, overrides and isolates of direction, separators of lines, deprecated and annotating format characters.
bool drives_terminal(char32_t value);

// A JSON document that is safe to print and means the same: what drives a terminal becomes \u009b. Line feeds and
// tabs, which stand between values only, stay.
std::string escape_controls_in_json(std::string_view document);

}  // namespace residue::text
