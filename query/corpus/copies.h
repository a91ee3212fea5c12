// What a synthetic release repeats: for each of its texts the original that it is nearest to, and the longest run of
// words that it shares with one.
//
//   originals ── words ──> index/suffix_index.h ──> longest shared run ──┐
//             └─ ROUGE-L ─> index/rouge_linker.h ──> nearest original ───┴─> copies, the longest first
//
// Ours: a generator that memorized a record gives it away whatever its privacy is said to be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

struct Copy {
  std::string key;                // of the synthetic text
  std::uint32_t words = 0;        // of the text
  std::uint32_t shared = 0;       // words of the longest run in common with an original (Analyzer::plain())
  std::string shared_with;        // key of that original, of several the smallest; empty: no word in common
  std::optional<double> rouge_l;  // F, stemmed, with the nearest original; nothing: no word that ROUGE knows (a-z, 0-9)
  std::string nearest;            // its key, of several the smallest; empty: no word in common
};

// Of all texts of a synthetic run, in the order of their keys. The caller holds Store::hold_texts(). Cost: the
// originals' suffixes are sorted, and each text is compared with each original (rouge_linker.h).
std::vector<Copy> find_copies(storage::Store& store, const DatasetView& dataset, const RunView& run);

struct RunCopies {
  std::string run;
  std::uint64_t failed = 0;  // texts that failed: nobody knows what they repeat
  std::vector<Copy> copies;  // the longest shared run first, then the greatest ROUGE-L
};

// Of every synthetic run, by name. Throws Error{not found} where the dataset has none.
std::vector<RunCopies> load_copies(storage::Store& store, const std::string& dataset);

}  // namespace residue::query
