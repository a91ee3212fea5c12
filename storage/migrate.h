// Stores of earlier formats: brought to this one, with a copy first.
//
//   copy.tar ─> `migrating` names it ─> migrate-PID/catalog.db, of today's schema ─> in its place ─> `format`
//
// Texts, vectors, answers and indexes stay as they are. Died at any step, the next call goes on from there.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace residue::storage {

inline constexpr int kOldestFormat = 2;  // that can be brought to this one

struct Migration {
  int from = 0;                // kFormatVersion: nothing was to be done
  std::filesystem::path copy;  // a backup of the store as it was, beside it
};

// Throws Error{usage} for a format that is newer or too old, Error{busy} if anybody has the store open, Error{try
// again} where the disk has no room for the copy and the new catalog, Error{corrupt} where what is copied does not fit
// together.
Migration migrate_store(const std::filesystem::path& dir, const std::function<void(const std::string&)>& progress);

}  // namespace residue::storage
