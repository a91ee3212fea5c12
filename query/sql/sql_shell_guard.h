// What a statement of `residue sql` may do: read the store's tables and views, and call known functions.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/levels/readable.h"

struct sqlite3;

namespace residue::query {

// Names in lower case.
struct SqlRules {
  std::set<std::string, std::less<>> tables;   // that may be read
  std::set<std::string, std::less<>> modules;  // virtual tables that may not
  std::set<std::string, std::less<>> functions;
  HiddenColumns hidden;  // they read as NULL
};

// The rules for the tables and views that `db` has now: columns that `level` does not read are NULL. Throws Error{io}.
SqlRules make_sql_rules(sqlite3* db, ReadLevel level);

// From here on `db` refuses what the rules do not allow. `rules` outlives the connection. Throws Error{io}.
void guard_sql(sqlite3* db, SqlRules& rules);

// Throws Error{usage} for a join by names (NATURAL, USING) over hidden columns: SQLite asks nobody about what it
// compares there, and FULL JOIN would even show it.
void refuse_hidden_joins(const SqlRules& rules, std::string_view sql);

// The first column of a query, in lower case. Throws Error{io}.
std::vector<std::string> sql_names(sqlite3* db, const char* sql);

}  // namespace residue::query
