// SQL of the user's own, over the public views (views.sql), where it can read and nothing else.
//
//   parent ── fork ──> child: read-only connection, authorizer, limits, statement ── pipe ──> parent ──> rows
//
// Reliability notes, section 4.1: a read-only connection is no sandbox, and one function call can run for seconds that
// no handler interrupts. So each statement has a process of its own, without files, and with an end; it dies with this
// one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/functions/sql_value.h"
#include "query/sql/levels/readable.h"
#include "text/measures/vader.h"

namespace residue::query {

struct SqlOptions {
  std::filesystem::path store;        // as Store::find gives it
  int timeout_ms = 10'000;            // on the clock: the statement, its rows, and what `sink` makes of them
  std::uint64_t most_rows = 100'000;  // the statement is stopped where there is one more
  bool texts = true;                  // false: text(id) is NULL for every id
  ReadLevel level = ReadLevel::kReleased;
  KnownTexts known_texts = {};  // of the store as it is, or was a moment ago: read only where they are not known
  int slow_ms = 1'000;                // of the processor: a statement that takes longer is told its missing filters
  std::int64_t many_rows = 10'000;    // a view with fewer is not named
  std::function<bool()> interrupted;  // may be empty; true: Error{interrupted}
  std::filesystem::path program;      // whose main is sql_program(); empty: the child is a copy of this process

  // Of vader(); called by the statement's process, which must be a copy of this one. May be empty, may throw Error.
  std::function<std::shared_ptr<const text::Vader>()> vader;
  std::string lexicon;  // the same for `program`: the file, as VaderFiles::lexicon (functions/vader_lexicon.h)
};

// What one statement answers. The caller may throw from each to stop it.
struct SqlSink {
  std::function<void(const std::vector<std::string>& columns)> columns = nullptr;  // may be empty
  std::function<void(std::vector<SqlValue> row)> row;
  std::function<void(std::string_view row)> packed = nullptr;     // instead of `row`, where given: see packed_values.h
  std::function<void(std::size_t byte)> place = nullptr;          // of `sql`: what the error that follows is about
  std::function<void(const std::string& line)> advice = nullptr;  // behind the rows of a statement that took long
};

struct SqlEnd {
  std::size_t next = 0;  // where the next statement begins; the size of the text: there is none
  bool more = false;     // there are more rows than `most_rows`
};

// Runs the first statement of `sql`. Rows are handed on as they come: memory is that of one row. Without `program`,
// nothing of the store may be open in this process, and it has one thread. Throws Error{bad input} for a NUL in the
// text. Throws Error{usage} with SQLite's message (it concerns the user's own statement) and the nearest names, or when
// the statement was stopped at its time or memory limit.
SqlEnd run_statement(const SqlOptions& options, std::string_view sql, const SqlSink& sink);

// Whether `sql` is at least one statement up to its semicolon.
bool is_complete(const std::string& sql);

// Functions that a statement may call; all others are refused.
std::span<const std::string_view> sql_functions();

// Functions of SQLite as Debian builds it that are known and refused. What is in neither list has not been
// looked at yet: a test fails.
std::span<const std::string_view> refused_sql_functions();

}  // namespace residue::query
