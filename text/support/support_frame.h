// A claim laid beside a sentence: which of its words has another of its kind in its place?
//
//   claim     Mr Polat lives in  Oslo  ┐                          "Oslo" is contested by "Bergen":
//                      |     |         ├──> alignment ──> gaps ──> the sentence says another place,
//   sentence  Mr Smith lives in Bergen ┘                          wherever else the passage may name Oslo
//
// A word that is only gone leaves nothing in its place, and is not contested.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/support/support_tokens.h"

namespace residue::text {

struct FrameReading {
  std::int64_t weight = 0;  // Of the claim's words that the sentence has in order; names and numbers count 1.
  std::vector<std::uint32_t> contested;  // Ascending positions in the claim; empty where less than half is aligned.
};

// The alignment of greatest weight; numbers contest numbers, names names, words words, never what the sentence says
// elsewhere. `meant` is as long as `claim`: not 0 for words that the passage has by their meaning, which nothing
// contests. Sentences of more than 512 words are read up to there. Cost: |claim| |sentence|.
void read_frame(std::span<const SupportToken> claim, std::span<const SupportToken> sentence,
                std::span<const std::uint8_t> meant, FrameReading& out);

}  // namespace residue::text
