// check: is everything that was stored still there, and is it what was stored? And what can be saved of the rest.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace residue::storage {

struct CheckResult {
  std::uint64_t texts = 0;                    // decoded and compared with their addresses
  std::uint64_t vectors = 0;                  // read and compared with their digests
  std::uint64_t answers = 0;                  // of models, read and compared with their checksums
  std::vector<std::string> problems;          // one line each; what is damaged and lost, and what it costs
  std::vector<std::string> derived_problems;  // one line each; what can be made again from the rest
  std::vector<std::string> repaired;          // one line each; what repair did, and what is to be brought in again

  bool pages_are_damaged = false;        // of the catalog
  std::set<std::int64_t> damaged_texts;  // that rows name
  bool vectors_are_damaged = false;
  std::vector<std::int64_t> damaged_segments;  // index_segment.id
};

// Reads everything: the catalog's pages and references, every text, every vector, every answer, every index file, in
// one snapshot: others may write meanwhile. The store may have been opened with losses (OpenOptions).
CheckResult check_store(Store& store);

// What repair keeps of damaged files, for whoever wants to look at them; gc removes it.
inline constexpr std::string_view kQuarantinePrefix = "quarantine-";

// Brings the store to a state where all fits together: what is derived is forgotten, rows that cannot be read and those
// that hang on them are removed and listed. The damaged catalog goes to a directory of kQuarantinePrefix. Returns what
// check_store says afterwards; `repaired` says what was done. Error{busy} if anybody else has the store open.
CheckResult repair_store(Store& store, const CheckResult& found);

}  // namespace residue::storage
