// What makes a store of the copied engines: for backup.
#pragma once

#include <filesystem>
#include <string>

#include "storage/store.h"

namespace residue::storage {

// `fresh` has a copy of the catalog and a later one of facts/. Adds the index files that the copy records, forgets
// those that have been replaced meanwhile, and the count of commits that belongs to the copies.
void finish_copy(const Store& store, const std::filesystem::path& fresh, const std::string& key,
                 const std::string& uuid);

// After everything else: takes the place of the log of a store that the copy is unpacked over.
void add_empty_log(const std::filesystem::path& fresh);

}  // namespace residue::storage
