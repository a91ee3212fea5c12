// The public views of `residue sql`, as SQL.
#pragma once

#include <string_view>

#include "base/embedded.h"

struct sqlite3;

namespace residue::query {

// embedded_views(): CREATE TEMP VIEW statements, for a connection whose main database is a catalog.
RESIDUE_EMBEDDED(views)

// Makes the views on a connection that has the functions of the catalog. Returns SQLite's code.
int attach_views(sqlite3* db);

// Sets a new connection to a catalog up to show them, and to change nothing of its own accord. Returns SQLite's code.
// Throws what the functions throw that the views need.
int prepare_views(sqlite3* db);

}  // namespace residue::query
