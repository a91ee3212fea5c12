// Counts of n-grams under control codes: as they are, or released with differential privacy.
//
//   documents of units ──> bounded contributions ──> noisy counts above a threshold: codes, then tokens, then pairs ...
//
// Order by order: an n-gram is counted only where both n-grams of one token less that it is made of were released,
// which is nobody's secret any more. What a unit adds is chosen by its own documents and by what was released before,
// so its neighbours' contributions are the same with and without it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "numbers/stats/dp_accounting.h"
#include "numbers/stats/privacy_spending.h"
#include "text/predict/ngram_tokens.h"
#include "text/predict/ngram_trie.h"

namespace residue::ingest {

struct NgramDocument {
  std::string key;   // of the record
  std::string unit;  // whose it is: a person or a record; equal for those that are protected together
  std::uint32_t code = 0;
  std::vector<text::TokenId> tokens;  // TokenTable::read()
};

struct NgramCorpus {
  text::TokenTable tokens;
  std::vector<std::string> codes;  // ascending
  bool codes_are_secret = true;    // no: there is one whatever the documents are
  std::vector<NgramDocument> documents;
};

// What one unit may add.
struct NgramBounds {
  std::uint64_t ngrams = 100;  // different n-grams of each order, each once
  std::uint64_t records = 1;   // documents that are read at all
};

// Noise and thresholds of the tables: codes, then n-grams of 1 ... `order` tokens.
numbers::Accounting account_ngrams(const numbers::PrivacyBudget& budget, const NgramBounds& bounds, std::size_t order);

// What that costs each unit.
numbers::Spending spending_of_ngrams(const numbers::PrivacyBudget& budget, const NgramBounds& bounds,
                                     std::size_t order);

// Every occurrence; roots are the codes, their counts the documents.
text::NgramTrie count_ngrams(const NgramCorpus& corpus, std::size_t order);

// (epsilon, delta)-differentially private for one unit more or less, by dp_accounting.h, as long as `key` is random and
// secret. Roots are the codes, of those that were not released with count 0 and nothing below them. Depends on the set
// of documents, not on their order or ids. The count of a code that is no secret needs no threshold.
text::NgramTrie private_ngrams(const NgramCorpus& corpus, std::size_t order, const NgramBounds& bounds,
                               const numbers::Accounting& accounting, std::string_view key);

}  // namespace residue::ingest
