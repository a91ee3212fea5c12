// The words that anything hides in a record: what somebody else puts in the place of one span must not be another
// hidden name.
//
//   text, spans ──> telling words, folded as they are read ── a phrase ──> whether it says one of them or a part
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ingest/rows/text_spans.h"

namespace residue::ingest {

class HiddenWords {
 public:
  // Of names all words but titles and "van"; of other spans those that tell who or what is meant
  // (safe_replacements.h), and numbers.
  HiddenWords(std::string_view text, std::span<const MaskedSpan> spans);

  // Whether the phrase says one of them, or most of one: a run of five of its letters, or of four that are more than
  // half of a word of the phrase. Letters of either case, accents, signs between letters and letters that look alike
  // count as a reader takes them. Cost: linear in the phrase.
  [[nodiscard]] bool said_in(std::string_view phrase) const;

 private:
  [[nodiscard]] bool says(const std::u32string& word) const;

  std::unordered_set<std::u32string> words_;  // all of them
  std::unordered_set<std::u32string> runs_;   // each four letters in a row
};

// Takes the replacements of their own from spans where they say a word that any of the spans hides; how many.
std::size_t without_hidden_words(std::string_view text, std::span<MaskedSpan> spans);

}  // namespace residue::ingest
