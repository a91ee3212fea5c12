// Many words sought in one text at once: where they stand as whole words.
//
//   words ── trie with suffix links ──> every occurrence in one pass ── the longest first ──> disjoint occurrences
//
// A. V. Aho, M. J. Corasick, "Efficient string matching", CACM 18(6), 1975.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

// Whether [begin, end) of `text` ends where words end: no letter or digit goes on at either end, and a number does not
// go on behind a full stop or comma ("1" is not in "1.5"). A low line is no part of a word: it is emphasis as often as
// a joint. Scripts without spaces have no such ends.
bool is_whole(std::string_view text, Span where);

// One of several words where it stands.
struct Occurrence {
  Span span;
  std::size_t word = 0;  // its index

  friend bool operator==(const Occurrence&, const Occurrence&) = default;
};

class WholeWords {
 public:
  // Keeps nothing of `words`. Empty ones stand nowhere; of equal ones the first counts. Cost: their bytes.
  explicit WholeWords(std::span<const std::string_view> words);

  // In order, disjoint: of overlapping ones that of the longest word in bytes, of equally long ones that of the first.
  // Of one word those from left to right, as if it were alone. Cost: about one pass, and sorting what was found.
  [[nodiscard]] std::vector<Occurrence> occurrences(std::string_view text) const;

  // By word: whether it stands anywhere, whatever overlaps it.
  [[nodiscard]] std::vector<bool> present(std::string_view text) const;

 private:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr std::size_t kNoWord = static_cast<std::size_t>(-1);

  struct State {
    std::size_t word = kNoWord;  // that ends here
    std::size_t bytes = 0;       // from the root
    Node suffix = kRoot;         // the longest other one that this one ends in
    Node next_word = kRoot;      // the longest such with a word
  };

  [[nodiscard]] Node child(Node node, char c) const;  // kRoot: none
  [[nodiscard]] Node step(Node node, char c) const;
  template <class Found>
  void scan(std::string_view text, const Found& found) const;

  std::size_t words_ = 0;
  std::vector<State> states_;
  std::unordered_map<std::uint64_t, Node> edges_;  // by node and byte
};

}  // namespace residue::text
