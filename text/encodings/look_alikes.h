// Letters of other scripts in Latin words that look like them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace residue::text {

// Nothing where there are none. In a word that mixes them with Latin letters and has nothing else, they become what
// they look like (Unicode TR 39, and small Cyrillic к м н т в); a word of nothing but such letters does where the text
// has mixed ones and no word with other letters of that script. Greek needs two mixed words: "TNFα" is no disguise.
// Small capitals become letters, as do circled and squared letters in a row.
std::optional<std::string> without_look_alikes(std::string_view text);

}  // namespace residue::text
