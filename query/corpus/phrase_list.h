// The rare phrases of one run, in words: which, where they stand, and in whose original.
//
//   run, dataset ── phrases.h ──> reach ── listed_phrases() ──> worst first ── the first read again ──> RunPhrases
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/corpus/phrases.h"
#include "storage/store.h"
#include "text/characters/unicode.h"

namespace residue::query {

struct ListedPhrase {
  std::string record;       // whose released text it stands in; of a synthetic run the text's key
  std::string of;           // the record whose original has it: the record itself where it has, else the smallest key
  std::uint32_t n = 0;      // words
  std::uint32_t alone = 0;  // words of its shortest part that this person's originals alone have
  std::uint32_t word = 0;   // words of the released text before it; those of masks do not count
  std::optional<text::Span> bytes;  // in the released text; nothing: it reads otherwise than it is written
  std::string phrase;               // as it reads
};

struct RunPhrases {
  std::uint64_t total = 0;                   // before the limit
  std::uint64_t records = 0;                 // texts that have one
  std::uint64_t failed = 0;                  // texts of the run that failed: nobody knows what they have
  std::uint64_t originals = 0, persons = 0;  // compared with: fewer make more phrases rare
  // Worst first: the longest, then those with the shortest part of one person alone, then by key and place.
  std::vector<ListedPhrase> phrases;
};

// Phrases of 1 to kLongestPhrase words, as listed_phrases() has them, of records with a text. `limit`: 0: all. Nothing
// of it is stored. The caller holds Store::hold_texts(). Throws Error{not found} for unknown names, Error{bad input}
// for inputs not read to their end, Error{interrupted}. Cost: reading both sides, and some 0.1 us for each word and
// length up to which it stands in several originals.
RunPhrases load_phrases(storage::Store& store, const std::string& dataset, const std::string& run, std::size_t limit,
                        const PhraseOptions& options);

}  // namespace residue::query
