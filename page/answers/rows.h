// What statements over the public views answer. Everything with words comes this way: the statement's process reads the
// level of the server and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/answers/viewer.h"
#include "page/serve/request.h"
#include "query/sql/advice/sql_words.h"
#include "query/sql/functions/sql_value.h"
#include "query/sql/sql_shell.h"

namespace residue::page {

using query::sql_string;

Json json_of(const query::SqlValue& value);

// A part of the rows that a statement has.
struct Part {
  std::uint64_t offset = 0, limit = 100;
};

struct Rows {
  std::vector<std::string> columns;
  query::SqlRows rows;
  bool more = false;

  // The value of the first row; null where there is none.
  [[nodiscard]] Json first(std::size_t column) const;
  // Each row as an array of its cells.
  [[nodiscard]] Json cells() const;
  // Each row as an object.
  [[nodiscard]] Json objects() const;
};

inline constexpr std::uint64_t kMostRows = 1'000'000;

// Of query::run_statement.
bool stopped_at_time_limit(const Error& error);

// Where the statement may read texts: which ones its level has, looked up once for all statements. What is returned must
// outlive the options.
[[nodiscard]] std::vector<Kept::Bytes> add_known_texts(const Viewer& viewer, const std::string& sql, query::SqlOptions& options);

// Throws as query::run_statement, Error{try again} where it takes too long. Nothing of the store is open in this
// process.
Rows rows(const Viewer& viewer, const std::string& sql, std::uint64_t most = kMostRows);

// The same, row by row (query/sql/packed_values.h), however many there are.
void each_row(const Viewer& viewer, const std::string& sql, const std::function<void(std::string_view packed)>& row);

// A statement, how many rows it has, and one page of them.
struct TableQuery {
  std::string columns, from, where,
      order;  // SELECT columns FROM from WHERE where ORDER BY order (empty: any); empty: any
  std::vector<std::string> counted = {};  // columns by whose values the rows are counted: facets
  std::vector<std::string> lists = {};    // of these, the ones that hold JSON arrays: counted by each of their values
  Json about = {};                        // an object: of what the table is
  bool combined = false;                  // "combinations" of the values that are counted are said, too
};

// Of a table: the statement for all its rows that are asked for.
std::string statement_of(const TableQuery& query, const Wanted& wanted);

// Whether rows with these values of the columns that are counted are asked for.
bool is_wanted(const TableQuery& query, const Wanted& wanted, std::span<const query::SqlValue> values);

// Adds "total" and, where something is counted, "facets". `combinations`: the values of the columns that are counted,
// and how many rows have them.
void add_counts(Json& answer, const TableQuery& query, const Wanted& wanted, const query::SqlRows& combinations);

Part part_of(const Wanted& wanted);

// {"columns", "rows", "total", "offset", "sql"}, the members of `about` and, where something is counted, "facets"; with
// format=csv the whole table as a file. `wanted` has offset, limit and what is to be equal: a column of `counted` by
// its name. With counts=later the total is null, and nothing is counted, unless that is known from an answer before.
Reply table(const Viewer& viewer, const Wanted& wanted, const TableQuery& query, const std::string& file);

// RFC 4180, with a ' before what a spreadsheet would run.
std::string csv_of(const std::vector<std::string>& columns, const query::SqlRows& rows);

}  // namespace residue::page
