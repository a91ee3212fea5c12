// Replacements undone in a text, letter by letter: the originals where their replacements stand, all else as it is.
//
//   text ── the longest replacement first, whole words only ──> text
//
// LOP section 4.2, without a model: what depends on a name grammatically stays. substitution.h does it word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/replacing/substitution.h"
#include "text/replacing/whole_words.h"

namespace residue::text {

// Where `words` stand in `text` as whole words (is_whole). Letters are taken as they are: "Rose" is not "rose". In
// order, disjoint. Nothing for empty `words`. Cost: one pass.
std::vector<Span> occurrences(std::string_view text, std::string_view words);

// Those of all `words`, as WholeWords has them.
std::vector<Occurrence> occurrences(std::string_view text, std::span<const std::string_view> words);

struct Restored {
  std::string text;
  std::uint64_t put_back = 0;   // replacements that became originals again
  std::uint64_t ambiguous = 0;  // that may mean something else, and were left
};

class Restorer {
 public:
  // Ambiguous is what stands for several originals, and what `original` has itself, outside of all originals of the
  // table: the replacement and the word are one then. Rows that replace something by itself mean nothing. Cost: about
  // the bytes of both.
  explicit Restorer(const Substitutions& table, std::string_view original = {});

  // Every occurrence of a replacement is told as its original. What was put in is not looked at again. Cost: one pass.
  [[nodiscard]] Restored restore(std::string_view text) const;

  // What restore() can put back, the longest replacement first: for whoever restores otherwise.
  [[nodiscard]] Substitutions table() const;
  [[nodiscard]] std::size_t ambiguous() const;  // replacements

 private:
  struct Row {
    std::string replacement, original;
    bool ambiguous = false;
  };
  static std::vector<Row> rows_of(const Substitutions& table, std::string_view original);
  static WholeWords replacements(const std::vector<Row>& rows);

  std::vector<Row> rows_;  // the longest replacement first; each once
  WholeWords replacements_;
};

}  // namespace residue::text
