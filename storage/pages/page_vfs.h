// The layer between SQLite and the catalog's files: no page is read that is not what was written there.
//
// Pages of catalog.db get a checksum when they are written, and are compared with it whenever they are read; pages of
// the log are compared with the log's own sums, which SQLite itself looks at only after a crash. The pages carry eight
// bytes that SQLite reserves: other programs read such a file, but do not compare, and must not write to it.
#pragma once

#include <cstdint>
#include <optional>

namespace residue::storage {

// The layer's name for sqlite3_open_v2, registered at the first call. It takes no file whose pages are of another size
// or have no room for a checksum.
const char* page_vfs();

// The engine's own name for the system's files, which compares nothing.
const char* system_vfs();

// A page that was read and is not what was written: of catalog.db by its number from 1; of the log by its frame.
struct DamagedPage {
  bool in_log = false;
  std::uint32_t number = 0;
};

// Whether the last catalog of this thread that could not be opened is open in this process with another copy of SQLite.
bool take_refused_engine();

// Of the last read of this thread that failed with SQLITE_IOERR_DATA; nothing if there was none since it was asked for.
std::optional<DamagedPage> take_damaged_page();

}  // namespace residue::storage
