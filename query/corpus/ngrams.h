// What a text looks like: which words, pairs of words and short stretches of characters are in it, as numbers.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace residue::query {

inline constexpr std::uint32_t kNgramBuckets = std::uint32_t{1} << 18;

// Numbers below kNgramBuckets, ascending, each once: hashes, so that some share a number.
struct Ngrams {
  std::vector<std::uint32_t> words;       // words (UAX #29, lower-case) and pairs of neighbouring ones
  std::vector<std::uint32_t> characters;  // 3 to 5 code points in a row, as they are written
};

Ngrams ngrams_of(std::string_view text);

}  // namespace residue::query
