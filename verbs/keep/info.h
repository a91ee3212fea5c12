// `info`: what a store holds and how large it is.
#pragma once

#include <cstdint>
#include <filesystem>

#include "storage/store.h"

namespace residue::verbs {

// Counts are of everything, the automatic controls included.
struct StoreInfo {
  std::filesystem::path store;
  int format = 0;
  std::int64_t datasets = 0;
  std::int64_t outside_controls = 0;  // datasets of people who were never in a release of another one
  std::int64_t records = 0, runs = 0, claims = 0, judgments = 0;
  std::uint64_t texts = 0;
  std::uint64_t catalog_bytes = 0, facts_bytes = 0, index_bytes = 0;  // on disk
};

// Of one snapshot.
StoreInfo info(storage::Store& store);

}  // namespace residue::verbs
