// The file `format` of a store: which shape its other files have.
#pragma once

#include <filesystem>

namespace residue::storage {

// Error{corrupt} if the directory is no store.
int format_of(const std::filesystem::path& dir);

// Written in full or not at all.
void write_format(const std::filesystem::path& dir, int version);

}  // namespace residue::storage
