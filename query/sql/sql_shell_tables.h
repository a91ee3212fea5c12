// The table-valued functions of `residue sql` as SQLite's virtual tables: sql_functions.h says what they answer.
#pragma once

#include "query/sql/sql_functions.h"

struct sqlite3;

namespace residue::query {

// Makes the functions known to `db`, for statements themselves only: no view or trigger may call them. `functions`
// outlives the connection. Throws Error{io}.
void attach_sql_functions(sqlite3* db, SqlFunctions& functions);

}  // namespace residue::query
