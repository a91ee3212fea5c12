// The rest of a damaged catalog: every row that can be read, in a new one where all fits together again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "storage/catalog/sqlite.h"
#include "storage/pages/page_image.h"

namespace residue::storage {

struct Salvage {
  std::map<std::string, std::int64_t> kept;        // rows, by table
  std::map<std::string, std::int64_t> unattached;  // rows that named one that is lost, removed
  std::set<std::string> lost_from;                 // tables that lost rows, those two ways
  std::vector<std::string> named;                  // rows that are known to be lost, by their keys
};

// Writes the new catalog `fresh`, which must not exist, synced, without a log. Error{corrupt} if too little can be read
// to make one (the list of tables, the store's identity).
Salvage salvage_catalog(const PageImage& image, const std::filesystem::path& fresh, int version);

// After rows of these tables are lost: whatever was computed from them is forgotten or no longer current, so that the
// next eval computes it. In a transaction of the caller's.
void forget_what_depends_on(Db& db, const std::set<std::string>& tables);

}  // namespace residue::storage
