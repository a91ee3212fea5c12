// A snapshot: the views of the store as tables of one plain SQLite file, for programs that know nothing of stores.
//
//   one statement over all views ── child process ──> rows ──> FILE.PID.part ── synced, renamed ──> FILE
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "query/export/export_table.h"
#include "query/sql/sql_shell.h"

namespace residue::query {

struct SnapshotRequest {
  SqlOptions how;       // store, level and time; `texts` false: no column names a text, and there are none
  std::string program;  // name and version of who writes it
  std::string made_at;  // "2025-11-25T16:00:00Z"
};

struct SnapshotSize {
  std::uint64_t rows = 0;  // of all tables but texts
  std::uint64_t texts = 0;
};

// Writes the file: a table for each of export_tables(), with indexes; `texts` (id, text) with the texts of the level,
// which the columns *_text name; `texts_fts`, FTS5 over them; `residue_snapshot` (key, value), which says what the file
// is. All rows are of one moment of the store. Nothing of the store may be open in this process. Throws Error{usage}
// for "-" and where the file exists, however late it appeared, Error{io}, Error{try again} where no space is left or
// the file may not grow, and as run_statement(); then no file is left. Memory: about 40 MiB; the child's grows with the
// number of texts, by some 20 bytes each.
SnapshotSize write_snapshot(const SnapshotRequest& request, const std::filesystem::path& file);

}  // namespace residue::query
