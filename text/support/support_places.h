// Where in a passage the words of a claim stand together. Of words that occur often, most places are never looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "text/support/occurrences.h"

namespace residue::text {

// A word of the claim: its places in the passage and what it is worth to a window that has one of them.
struct PlacedWord {
  Places places;
  std::int64_t worth = 0;   // Not negative.
  std::int64_t weight = 0;  // What it counts among its neighbours.
};

// So many sentences in a row from `sentence` on, all where the passage has fewer.
struct BestWindow {
  std::uint32_t sentence = 0;
  std::int64_t worth = 0;
};

// The first of the windows of `length` sentences that are worth most. `sentence_of`: of each word of the passage;
// `first_word`: of each sentence, and at the end the number of words.
[[nodiscard]] BestWindow best_window(std::span<const PlacedWord> words, std::span<const std::uint32_t> sentence_of,
                                     std::span<const std::uint32_t> first_word, std::uint32_t length);

// Whether one of the first places of words[n] has a third of the weight of its neighbours in the claim nearby. A place
// that several words have is the last one's.
[[nodiscard]] bool stands_near(std::span<const PlacedWord> words, std::size_t n);

}  // namespace residue::text
