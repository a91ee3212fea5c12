// The views of a store as tables of the host's connection: read, never written.
//
//   host's statement ── xBestIndex, xFilter ──> statement on the store's own connection ──> rows, one at a time
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "query/sql/extension/open_store.h"

struct sqlite3;

namespace residue::query {

// What a connection of the host has open: at most one store, until its last table is dropped. The host disconnects its
// tables and connects them again as it likes.
struct HostConnection {
  sqlite3* db = nullptr;
  std::shared_ptr<OpenStore> store;
  std::set<std::string> tables;  // as the host calls them, all in `temp`; one that was rolled back may be among them

  // The store at `place` (a store, or the directory that holds one), opened now if none is open. Error{usage} where
  // another is, or at another level.
  std::shared_ptr<OpenStore> open(const std::filesystem::path& place, ReadLevel level);
};

inline constexpr const char* kViewModule = "residue";

// CREATE VIRTUAL TABLE temp.NAME USING residue('PATH', 'VIEW' [, 'LEVEL']). Returns SQLite's code.
int attach_view_tables(sqlite3* db, const std::shared_ptr<HostConnection>& connection);

// "message; what to do", as one line in the words of the extension, which no terminal is driven by.
std::string line_of(const Error& error);

}  // namespace residue::query
