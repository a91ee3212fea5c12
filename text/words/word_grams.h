// Word n-grams of a text as numbers: which runs of words it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/words/analyzer.h"

namespace residue::text {

// 64-bit hashes of all runs of `n` > 0 words, ascending, each once; none of a text of fewer words. `words` counts those
// of Analyzer::plain(), for many texts of one thread.
std::vector<std::uint64_t> word_grams(std::string_view text, std::size_t n, TermCounter& words);

}  // namespace residue::text
