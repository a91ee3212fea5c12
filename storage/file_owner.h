// Whose file catalog.db is, whatever its log says of it.
#pragma once

#include <filesystem>
#include <string_view>

namespace residue::storage {

// The log, which has the newest pages, says that the store is `uuid`. Throws Error{corrupt} if the file under it is
// another store's: their pages would be read as one catalog. Says nothing where the file cannot be read alone, as while
// somebody writes the log's changes into it. Without a log nobody need ask: the file has told its own uuid.
void require_own_catalog(const std::filesystem::path& catalog, std::string_view uuid);

}  // namespace residue::storage
