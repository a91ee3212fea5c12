// check: is everything that was stored still there, and is it what was stored?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "storage/store.h"

namespace residue::storage {

struct CheckResult {
  std::uint64_t texts = 0;                    // decoded and compared with their addresses
  std::uint64_t vectors = 0;                  // read and compared with their digests
  std::uint64_t answers = 0;                  // of models, read and compared with their checksums
  std::vector<std::string> problems;          // one line each; truth that is lost: restore a backup
  std::vector<std::string> derived_problems;  // one line each; indexes: removed by repair, built again when needed
};

// Reads everything: the catalog's pages and references, every text, every vector, every index file. With `repair`,
// index files that are damaged are forgotten.
CheckResult check_store(Store& store, bool repair);

}  // namespace residue::storage
