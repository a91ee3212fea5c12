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

#include "text/substitution.h"
#include "text/unicode.h"

namespace residue::text {

// Where `words` stand in `text` as whole words: no letter, digit or low line goes on at either end, and a number does
// not go on behind a full stop or comma ("1" is not in "1.5"). Scripts without spaces have no such ends. Letters are
// taken as they are: "Rose" is not "rose". In order, disjoint. Nothing for empty `words`. Cost: one pass.
std::vector<Span> occurrences(std::string_view text, std::string_view words);

// One of several words where it stands.
struct Occurrence {
  Span span;
  std::size_t word = 0;  // its index
};

// The occurrences of all `words`, in order, disjoint: of overlapping ones that of the longest word in bytes, of equally
// long ones that of the first. Cost: a pass for each word.
std::vector<Occurrence> occurrences(std::string_view text, std::span<const std::string_view> words);

struct Restored {
  std::string text;
  std::uint64_t put_back = 0;   // replacements that became originals again
  std::uint64_t ambiguous = 0;  // that may mean something else, and were left
};

class Restorer {
 public:
  // Ambiguous is what stands for several originals, and what `original` has itself, outside of all originals of the
  // table: the replacement and the word are one then. Rows that replace something by itself mean nothing.
  explicit Restorer(const Substitutions& table, std::string_view original = {});

  // Every occurrence of a replacement is told as its original. What was put in is not looked at again.
  [[nodiscard]] Restored restore(std::string_view text) const;

  // What restore() can put back, the longest replacement first: for whoever restores otherwise.
  [[nodiscard]] Substitutions table() const;
  [[nodiscard]] std::size_t ambiguous() const;  // replacements

 private:
  struct Row {
    std::string replacement, original;
    bool ambiguous = false;
  };
  std::vector<Row> rows_;  // the longest replacement first; each once
};

}  // namespace residue::text
