// What a sanitizer did to the words of a text: which are still there, which were removed, and what stands in their
// place.
//
//   original, sanitized ── \w+ ──> tokens ── longest common subsequence ──> fate of each token of the original
//
// E. Myers, "An O(ND) difference algorithm and its variations", 1986, names the problem; the subsequence is found
// bit-parallel (H. Hyyro, 2004) and traced back through the stored columns, in parts where these would take too much
// memory (D. Hirschberg, 1975).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

// Python's \w+: letters, numbers of any kind and the underscore. Combining marks are none, as there.
std::vector<Span> word_tokens(std::string_view text);
bool is_word_character(char32_t c);

// Pairs (place in `a`, place in `b`) of one longest common subsequence, ascending in both. Deterministic.
// Cost: |a| |b| / 64 steps, twice where |a| |b| is more than 2^28; memory at most 32 MiB beside linear.
struct Pair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;

  friend bool operator==(const Pair&, const Pair&) = default;
};
std::vector<Pair> lcs_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

// The same of windows of 4,096 tokens, one behind the other: longest within each. What was moved, added or removed by
// more than half a window in one place may go unseen. Cost: linear.
std::vector<Pair> nearby_pairs(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

enum class Fate : unsigned char {
  kKept,
  kMoved,  // left over by the alignment, but so is an equal token of the sanitized text: it can still be read
  kGone,
};

struct TokenDiff {
  std::vector<Span> original;   // tokens, as bytes of the original
  std::vector<Span> sanitized;  // of the sanitized text
  std::vector<Fate> fate;       // of each token of the original
  std::vector<Pair> kept;       // tokens that are aligned
};

// Tokens are those of what is read, and compared as read (text/as_read.h): a word in other letters, or with a
// zero-width space inside, can still be read. Of two equal tokens at the ends of what is gone the one is kept that has
// its case and the signs around it in the sanitized text.
//
// Shown to people, a text of a megabyte is worth an alignment that is found at once: kNearby takes nearby_pairs() where
// |a| |b| is more than 2^26. What is counted takes the longest.
enum class Alignment : unsigned char { kLongest, kNearby };
TokenDiff token_diff(std::string_view original, std::string_view sanitized, Alignment how = Alignment::kLongest);

// A run of tokens that are gone, one behind the other.
struct Removal {
  Span removed;            // bytes of the original, from the first token to the end of the last
  std::optional<Span> by;  // bytes of the sanitized text between the kept tokens around it, if there are tokens
  friend bool operator==(const Removal&, const Removal&) = default;
};
std::vector<Removal> removals(const TokenDiff& diff);

// The bytes of the original that are gone, disjoint and ascending: from the end of the last token that is kept or moved
// to the beginning of the next one, so that signs between the tokens go with them.
std::vector<Span> masked_spans(const TokenDiff& diff, std::size_t original_bytes);

}  // namespace residue::text
