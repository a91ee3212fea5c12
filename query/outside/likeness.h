// How much of a record stands in one released text: what membership is guessed from.
//
//   records ── word 5-grams ──> inverted index of the release ──> the texts that share most ── ROUGE-L recall ──>
//   likeness
//
// METRICS.md section 9. Exact: every released text is looked at.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/progress.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::size_t kLikenessWords = 5;  // Analyzer::plain(); a text of fewer has no likeness

// Greater is more alike. Doubles of exact fractions: equal ones are equal bit for bit.
struct Likeness {
  double share = 0;   // the greatest share of the record's different 5-grams that one released text has
  double recall = 0;  // the greatest ROUGE-L recall (stemmed) of the record among the texts with that share
  friend auto operator<=>(const Likeness&, const Likeness&) = default;
};

// Of each of `records`, with the texts `released` (repetitions and the empty text do not matter); nothing where the
// record has too few words. 5-grams are compared by their 64-bit hashes. The caller holds Store::hold_texts().
// Depends on neither order nor threads. Memory: 16 bytes for each 5-gram of the release that a record has, and 4 for
// each word of it. Cost: a read of all texts, and a ROUGE-L for each text with the greatest share; where that is 0, for
// every text (index/rouge).
std::vector<std::optional<Likeness>> likeness_of(const storage::Store& store, std::span<const TextId> records,
                                                 std::span<const TextId> released, const ProgressFunction& checkpoint);

}  // namespace residue::query
