// Replacements undone in a text, letter by letter: the originals where their replacements stand, all else as it is.
//
//   text ── the longest replacement first, whole words only ──> text
//
// LOP section 4.2, without a model: what depends on a name grammatically stays. substitution.h does it word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/replacing/look_alikes.h"
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
  std::uint64_t left = 0;       // words that look like a replacement (look_alikes.h), and were left
  std::uint64_t absent = 0;     // replacements of the table that stand nowhere, in no form
};

class Restorer {
 public:
  // Who wrote the texts that are restored.
  enum class By {
    kTable,   // the table made them of the original, and what it replaced is not in them any more
    kAnyone,  // somebody who may know the original
  };

  // Ambiguous is what stands for several originals, and what `original` has itself: the replacement and the word are
  // one then. In texts of the table's making, originals of the table do not count, nor what stands within them; in
  // those of anyone, they do. Rows that replace something by itself mean nothing. Cost: about the bytes of both.
  explicit Restorer(const Substitutions& table, std::string_view original = {}, By by = By::kTable);

  // Every occurrence of a replacement is told as its original. What was put in is not looked at again. `left` and
  // `absent` are counted in texts of anyone only. Cost: about one pass.
  [[nodiscard]] Restored restore(std::string_view text) const;

  // What restore() can put back, the longest replacement first: for whoever restores otherwise.
  [[nodiscard]] Substitutions table() const;
  [[nodiscard]] std::size_t ambiguous() const;  // replacements

 private:
  struct Row {
    std::string replacement, original;
    bool ambiguous = false;
  };
  static std::vector<Row> rows_of(const Substitutions& table, std::string_view original, By by);
  static std::vector<std::string_view> words_of(const std::vector<Row>& rows);

  std::vector<Row> rows_;  // the longest replacement first; each once
  WholeWords replacements_;
  std::optional<LookAlikes> look_alikes_;
};

}  // namespace residue::text
