// What of a WHERE the store's own indexes answer: constraints of the host's planner, and the statement made of them.
//
//   xBestIndex: constraints ──> choose ──> "run = ? AND n > ?"  (shown by EXPLAIN QUERY PLAN)
//   xFilter:    that and the values ──> statement_of ──> SELECT ... FROM temp."leaks" WHERE "run" = ?1 AND "n" > ?2
//
// The host looks at every row again. So what is handed over must never leave out a row that the host would keep: only
// columns of tables are compared, whose values are all of the declared type, and only with values of that type.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/extension/open_store.h"

struct sqlite3_index_info;
struct sqlite3_value;

namespace residue::query {

// Chooses constraints of `info`, sets which arguments xFilter gets, costs, idxNum (columns that are used, a bit each)
// and idxStr. SQLITE_OK or SQLITE_NOMEM.
int choose(std::span<const StoredColumn> columns, sqlite3_index_info& info);

struct Chosen {
  std::string sql;
  std::vector<sqlite3_value*> values;  // ?1, ?2 ...
};

// `used`, `terms`: idxNum and idxStr of the plan. Columns that nobody uses are NULL where no term is given; with terms
// all are there, for the row's id.
Chosen statement_of(const std::string& view, std::span<const StoredColumn> columns, int used, std::string_view terms,
                    std::span<sqlite3_value*> values);

// Whether the statement of a plan reads this column.
bool reads(int used, std::size_t column);

}  // namespace residue::query
