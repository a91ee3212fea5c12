// What a statement of `residue sql` may do: read the store's tables and views, and call known functions.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

struct sqlite3;

namespace residue::query {

// Names in lower case.
struct SqlRules {
  std::set<std::string, std::less<>> tables;   // that may be read
  std::set<std::string, std::less<>> modules;  // virtual tables that may not
  std::set<std::string, std::less<>> functions;
};

// The rules for the tables and views that `db` has now. Throws Error{io}.
SqlRules make_sql_rules(sqlite3* db);

// From here on `db` refuses what the rules do not allow. `rules` outlives the connection. Throws Error{io}.
void guard_sql(sqlite3* db, SqlRules& rules);

// The first column of a query, in lower case. Throws Error{io}.
std::vector<std::string> sql_names(sqlite3* db, const char* sql);

}  // namespace residue::query
