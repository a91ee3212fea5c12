// Letters in the shapes that Unicode keeps for formulas: "𝐊𝐞𝐥𝐯𝐢𝐧", "Kℯⅼvin".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Plain letters and digits (text/characters/as_read.h) where at least eight stand beside other letters, as in words.
// Variables stay, 𝑥 and ℝ. Nothing where there are none.
std::optional<std::string> without_fonts(std::string_view text);

}  // namespace residue::text
