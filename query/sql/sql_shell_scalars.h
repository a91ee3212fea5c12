// The functions of texts (functions/text_functions.h) as SQLite's.
#pragma once

#include <string_view>

#include "query/sql/functions/text_functions.h"

struct sqlite3;
struct sqlite3_context;
struct sqlite3_value;

namespace residue::query {

// What SQLite hands to a function.
SqlValue sql_value_of(sqlite3_value* value);

// What a function answers; bytes are NULL.
void answer_with(sqlite3_context* context, const SqlValue& value);

// Makes them known to `db`, for statements themselves only, and calls those once that `sql` names. `tools` outlives the
// connection. Throws Error{io}.
void attach_text_functions(sqlite3* db, const TextTools& tools, std::string_view sql);

}  // namespace residue::query
