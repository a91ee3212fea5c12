// Two texts as one, with what was removed and what was added marked: for reading, as wdiff writes it.
#pragma once

#include <string>
#include <string_view>

namespace residue::query {

// The sanitized text with "[-removed-]" before what stands in its place, "{+added+}". Words are those of
// text/characters/token_diff.h, compared as they are read: words that only look otherwise are not marked. A word that
// moved is marked at both places. Brackets and quotes around added words belong to them. Cost: that of token_diff().
std::string marked_diff(std::string_view original, std::string_view sanitized);

}  // namespace residue::query
