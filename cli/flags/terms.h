// What link, search and explain share: the text asked for, and terms with their shares of a score.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/print/output.h"
#include "index/bm25/bm25_linker.h"

namespace residue::cli {

// `word` itself; "-": all of standard input, so that a confidential text need not stand on the command line. Throws
// Error{usage} for a word, Error{bad input} for an input that is not UTF-8 or has a NUL or 16 MiB, Error{io}.
std::string text_argument(const std::string& word);

// "asthma 3.2100, bee 2.1000, …": highest share first, as many as `columns` hold (0: all), at least one.
std::string terms_text(const std::vector<index::TermScore>& terms, std::size_t columns);

// [{"term","score"}], highest share first.
Json terms_json(const std::vector<index::TermScore>& terms);

// Adds a last column "terms" to a table of hits, one cell a row: as terms_text in what the terminal has left, for other
// programs (csv, tsv) as terms_json.
void add_terms(Table& table, const std::vector<const std::vector<index::TermScore>*>& terms, const Look& look,
               Format format);

}  // namespace residue::cli
