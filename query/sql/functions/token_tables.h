// The words of a text as rows of `residue sql`: tokens(TEXT) and ngrams(TEXT, N). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "query/sql/functions/sql_value.h"

namespace residue::query {

inline constexpr std::size_t kMostTokenBytes = std::size_t{1} << 20U;
inline constexpr std::int64_t kMostNgram = 100;

// Rows of (n, word, term, at, length): every word of `text` (text/words/words.h), counted from 1; the term that a bm25
// attacker searches for, NULL for a stop word; where it stands, as substr(TEXT, at, length) has it. A text that is
// encoded has the terms that are written: tokens(as_read(TEXT)) has those that are read. Throws Error{usage} for a text
// above kMostTokenBytes.
SqlRows token_rows(std::string_view text);

// Rows of (ngram, count), in the order in which they come first: what rouge_n counts, stemmed words joined by a space.
// Throws Error{usage} for `n` outside 1 to kMostNgram and as above.
SqlRows ngram_rows(std::string_view text, std::int64_t n);

}  // namespace residue::query
