// Included before all else in every source of the extension: each call of SQLite goes to the program that loaded it.
//
// A second copy of SQLite in one process would take the first one's locks away (storage/pages/engines.h). So nothing
// here is linked with one; the host hands over a table of its functions.
#pragma once

#include <sqlite3ext.h>

SQLITE_EXTENSION_INIT3

namespace residue::query {

// The oldest SQLite that has every function which is called here, and tables that are STRICT.
inline constexpr int kOldestSqlite = 3'037'000;

}  // namespace residue::query
