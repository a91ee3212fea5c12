// The words that phrases are made of, as numbers: what Analyzer::plain() makes of a text, without masks.
//
//   "Dr. Ann met [NAME] in Oslo" ── PhraseText ──> Dr Ann met | in Oslo ── PhraseVocabulary ──> 7 9 4 0 5 8
//
// A mask ends a run of words: what stood before it and behind it were no neighbours.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "text/characters/unicode.h"

namespace residue::text {

// A word of a text. `span` is of PhraseText::read().
struct PhraseWord {
  Span span;
  bool begins_run = false;  // the first word, or the first behind a mask
};

// Masks are placeholders (text/words/placeholders.h), words like REDACTED, and rows of three signs or more out of
// * # _ and blocks.
class PhraseText {
 public:
  // Cost: linear.
  explicit PhraseText(std::string_view written);

  [[nodiscard]] std::string_view read() const { return read_; }
  [[nodiscard]] const std::vector<PhraseWord>& words() const { return words_; }

  // Where the words stand in the text as it is written, in their order. Nothing where the text reads otherwise than it
  // is written, so that its words cannot be told there one by one.
  [[nodiscard]] std::optional<std::vector<Span>> as_written(std::string_view written) const;

 private:
  std::string read_;
  std::vector<PhraseWord> words_;
};

inline constexpr std::uint32_t kRunEnd = 0;                  // of a run of words
inline constexpr std::uint32_t kNoWord = ~std::uint32_t{0};  // one that the vocabulary lacks

// Numbers of terms, from 1: equal numbers are equal terms, compared letter by letter.
class PhraseVocabulary {
 public:
  // Replaces `out` by the words' numbers, kRunEnd between runs. add() takes in what is new; find() may be called from
  // several threads, and gives kNoWord.
  void add(const PhraseText& text, std::vector<std::uint32_t>& out);
  void find(const PhraseText& text, std::vector<std::uint32_t>& out) const;

  [[nodiscard]] std::size_t size() const { return terms_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return hash_bytes(word); }
  };
  using Numbers = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

  Numbers read_;  // words as they are read, most of which come up again
  Numbers terms_;
};

}  // namespace residue::text
