// What a text says to a reader, whatever its code points: two texts that look the same compare equal.
//
//   "Jose\u0301", "Jo\u200Bs\u00E9", "\uFF2Aosé" ── as_read ──> "josé"
//
// Canonically equivalent sequences are one (NFC); code points that are ignored by default are dropped (zero-width
// spaces and joiners, soft hyphens, variation selectors); characters that are another one in other shape are that one:
// full and half width, letters of mathematical fonts, Arabic presentation forms, no-break spaces, Latin ligatures. What
// says something else stays: superscripts, circled numbers, fractions, letters of another script that look alike.
// UAX #15; DerivedCoreProperties.txt, Default_Ignorable_Code_Point.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

enum class Letters { kFolded, kKept };  // Case folding as Unicode defines caseless matching, or letters as they are.

// ASCII text is itself, in lower case where letters are folded. Ill-formed bytes become U+FFFD. Cost: linear.
std::string as_read(std::string_view text, Letters letters = Letters::kFolded);

// Bytes of the code points at byte `at` that say nothing by themselves: those that are dropped. 0 where there is none.
std::size_t ignored_at(std::string_view text, std::size_t at);

// A word (text::word_tokens) of what is read: its bytes in the text as it is written, and the word with letters folded.
struct ReadToken {
  Span span;
  std::string word;
};

// Disjoint and ascending. For ASCII these are word_tokens() in lower case.
std::vector<ReadToken> read_tokens(std::string_view text);

}  // namespace residue::text
