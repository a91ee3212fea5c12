// Which originals say nearly the same: they share four of five runs of five words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

// Word 5-grams of one text (Analyzer::plain(), each once). A text of fewer words has none, and is near to no other.
inline constexpr std::size_t kNearWords = 5;
inline constexpr std::uint64_t kNearPercent = 80;  // of the 5-grams of the text that is asked about

class NearOriginals {
 public:
  // Reads all originals. The caller holds Store::hold_texts(). 5-grams are compared by their 64-bit hashes. Memory: 16
  // bytes for each 5-gram while they are sorted, then 8 for each that stands in several originals too.
  NearOriginals(const storage::Store& store, const DatasetView& dataset);

  // The records, as positions in the view, whose originals share at least kNearPercent of the 5-grams of this record's;
  // ascending, without itself. Cost: the records that share one of its rarer 5-grams.
  [[nodiscard]] std::vector<std::size_t> of(std::size_t record) const;

 private:
  std::vector<std::size_t> grams_;      // by record: how many different 5-grams it has
  std::vector<std::size_t> first_;      // by record: where its shared 5-grams begin in shared_, and one more
  std::vector<std::uint32_t> shared_;   // which of the 5-grams that stand in several originals
  std::vector<std::size_t> begin_;      // by such a 5-gram: where its records begin in records_, and one more
  std::vector<std::uint32_t> records_;  // ascending within a 5-gram
};

}  // namespace residue::query
