// Phrases of released texts that one person's originals alone have: what metrics and `leaks --phrases` are made from.
//
//   originals ── words ──> DatasetPhrases ──┐
//   released texts ── words ────────────────┴─ text/measures/rare_phrases.h ──> reach, by word of each released text
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "query/inputs/snapshot.h"
#include "storage/store.h"
#include "text/measures/rare_phrases.h"
#include "text/words/phrase_words.h"

namespace residue::query {

inline constexpr std::size_t kPhraseMemory = std::size_t{1} << 30;

struct PhraseOptions {
  std::size_t memory_bytes = kPhraseMemory;  // of the tables of phrases; no number depends on it
  std::function<bool()> interrupted = {};
};

// The words of a dataset's originals. Immutable.
class DatasetPhrases {
 public:
  // Reads all originals. The caller holds Store::hold_texts(). Memory: 4 bytes a word, and the different words. Throws
  // Error{interrupted}, and Error{usage} beyond 2^32 words.
  DatasetPhrases(const storage::Store& store, const DatasetView& dataset, const PhraseOptions& options);

  [[nodiscard]] const text::PhraseVocabulary& vocabulary() const { return vocabulary_; }
  [[nodiscard]] const text::WordRuns& words() const { return words_; }  // of originals, in the order of the records
  // By original, numbers from 0: the person, or the record where nobody said whose it is. Records without a person
  // whose originals are equal are one (ResamplingUnits).
  [[nodiscard]] const std::vector<std::uint32_t>& persons() const { return persons_; }
  [[nodiscard]] std::size_t originals() const { return originals_; }        // that have a word
  [[nodiscard]] std::size_t person_count() const { return person_count_; }  // with such an original

 private:
  text::PhraseVocabulary vocabulary_;
  text::WordRuns words_;
  std::vector<std::uint32_t> persons_;
  std::size_t originals_ = 0, person_count_ = 0;
};

// The words of released texts, in order; id 0 is the empty text. The same callers, memory and errors.
text::WordRuns released_words(const storage::Store& store, const DatasetPhrases& originals,
                              const std::vector<TextId>& texts, const PhraseOptions& options);

// Phrases of one length in one released text.
struct PhraseCounts {
  std::int64_t all = 0, rare = 0;  // rare: exactly one person's originals have them
};

// The released texts of a run: of aligned ones by record (0 where it failed), of synthetic ones as the view has them.
std::vector<TextId> released_texts(const RunView& run);

}  // namespace residue::query
