// `sql`: statements of the user's own over the public views, one after another.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/sql_shell.h"

namespace residue::verbs {

// What the statements answer, in their order. A sink may throw, to stop.
struct SqlSinks {
  std::function<void(const std::vector<std::string>& columns)> columns;  // of the next statement, before its rows
  std::function<void(std::vector<query::SqlValue> row)> row;
  std::function<void(const query::SqlEnd& end)> end = nullptr;    // of each statement; may be empty
  std::function<void(const std::string& line)> advice = nullptr;  // behind the rows of a statement that took long

  // Where the error is that follows: `script` begins with the statement that failed, `byte` is a place in it.
  std::function<void(std::string_view script, std::size_t byte)> place = nullptr;
};

// Runs all statements of `script`, as query::run_statement does, within `timeout_ms` for all of them and for what the
// sinks do. `store` is verbs::find_store()'s; nothing of it may be open in this process. Throws as run_statement, at
// the first statement that fails.
void sql(query::SqlOptions options, std::string_view script, const SqlSinks& sinks);

}  // namespace residue::verbs
