// Where words were copied from: the longest run of tokens that a text has in common with any text of a collection.
//
//   texts ── suffixes, sorted ──> SuffixIndex ── tokens of another text ──> longest run, and where it stands
//
// U. Manber and G. Myers, "Suffix arrays", 1993.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace residue::text {

struct SharedRun {
  std::uint32_t length = 0;  // tokens; 0: nothing in common
  std::uint32_t text = 0;    // of several texts with a run of this length the first
  std::uint32_t at = 0;      // in that text: the first place of the run found there
  std::uint32_t begin = 0;   // in the text asked about: of its runs of this length the first
};

// Immutable; may be used from several threads.
class SuffixIndex {
 public:
  // Tokens are numbers. Runs never reach from one text into the next. Cost: n log n comparisons of suffixes, each as
  // long as what they share; memory 12 bytes a token. Throws Error{usage} beyond 2^32 tokens.
  explicit SuffixIndex(const std::vector<std::vector<std::uint32_t>>& texts);

  // Cost: a binary search for each token.
  [[nodiscard]] SharedRun longest(std::span<const std::uint32_t> tokens) const;

 private:
  [[nodiscard]] std::span<const std::uint32_t> suffix(std::uint32_t place) const;

  std::vector<std::uint32_t> tokens_;    // of all texts, one after the other
  std::vector<std::uint32_t> first_;     // by text, and behind the last
  std::vector<std::uint32_t> text_of_;   // by token
  std::vector<std::uint32_t> suffixes_;  // places in tokens_, in the order of what stands there to its text's end
};

}  // namespace residue::text
