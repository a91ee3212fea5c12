// The part of a text that matches best, on one line, with the words that match.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"
#include "text/words/analyzer.h"

namespace residue::query {

struct Snippet {
  std::string text;               // white space is single spaces; "… " and " …" where something is left out
  std::vector<text::Span> marks;  // bytes of `text`: the words whose term matches, in order
};

// The stretch of at most about `columns` terminal columns whose terms weigh most together, each counted once; of equals
// the first. `weights`: the terms sought. Without a match, the beginning. Cost: one pass over the words.
Snippet make_snippet(std::string_view text, const text::Analyzer& analyzer,
                     const std::map<std::string, double, std::less<>>& weights, std::size_t columns);

}  // namespace residue::query
