// A text as recognizers read it: signs that look like an ASCII sign are that sign, digits of every script are digits.
//
//   "123\u201145\u20116789" ── folded ──> "123-45-6789" ── bytes of it ──> bytes of what was written
//
// Dashes up to the en dash and the minus sign are hyphens, all spaces within a line are spaces, full-width characters
// are their ASCII ones, an apostrophe that Unicode has among the letters (U+02BC) is one; what is ignored by default
// (soft hyphens, zero-width spaces, marks of direction) is left out.
// Low lines around words, as Markdown has them, are spaces; within a word they stay.
// Letters stay as they are, and so do ill-formed bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

class FoldedText {
 public:
  // `written` must outlive this. Cost: linear; nothing is copied where nothing is folded.
  explicit FoldedText(std::string_view written);

  [[nodiscard]] std::string_view text() const { return pieces_.empty() ? written_ : std::string_view(folded_); }
  [[nodiscard]] bool changed() const { return !pieces_.empty(); }

  // Where bytes of text() that are not empty are written: whole code points, without what was left out around them.
  [[nodiscard]] Span written(Span folded) const;

 private:
  // From byte `folded` on: one sign that was written in `bytes` bytes, or (0) a run that is as it was written.
  struct Piece {
    std::size_t folded = 0;
    std::size_t written = 0;
    std::size_t bytes = 0;
  };
  [[nodiscard]] const Piece& piece_of(std::size_t folded) const;

  std::string_view written_;
  std::string folded_;
  std::vector<Piece> pieces_;
};

// The folded text alone.
std::string folded(std::string_view text);

}  // namespace residue::text
