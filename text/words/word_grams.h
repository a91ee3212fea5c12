// Word n-grams of a text as numbers: which runs of words it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace residue::text {

// 64-bit hashes of all runs of `n` words (Analyzer::plain()), ascending, each once; none of a text of fewer words.
// `words` is memory that is used again.
std::vector<std::uint64_t> word_grams(std::string_view text, std::size_t n, std::vector<std::string>& words);

}  // namespace residue::text
