// The file `format` of a store: which shape its other files have.
#pragma once

#include <filesystem>

namespace residue::storage {

// Error{corrupt} if the directory is no store, or one whose file is missing or damaged: then the hint says what the
// catalog knows. No connection to the catalog may be open in this process.
int format_of(const std::filesystem::path& dir);

// A file that is there while a store is being migrated: it names the copy.
inline constexpr const char* kMigrating = "migrating";

// Throws Error{corrupt} where the file says another format than `ours` and the catalog is of `ours`: a flipped bit is
// no older store. No connection to the catalog may be open in this process.
void require_format_of_catalog(const std::filesystem::path& dir, int said, int ours);

// Written in full or not at all.
void write_format(const std::filesystem::path& dir, int version);

}  // namespace residue::storage
