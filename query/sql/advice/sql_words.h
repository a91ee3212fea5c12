// The words of a statement that are names: neither in texts nor in comments. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace residue::query {

struct SqlWord {
  std::string name;       // in lower case, without the quotes of "name", `name` and [name]
  std::size_t begin = 0;  // bytes of the statement
  std::size_t end = 0;
  bool compared = false;  // = or IS or IN stands behind it, or = before it, or it is in USING (...)
};

// In order. Whatever the bytes are: a text, comment or quote that does not end goes to the end.
std::vector<SqlWord> sql_words(std::string_view sql);

// The line with byte `at` (at most sql.size()), at most `columns` wide, and a caret under the place: two lines, each
// with its line end. Safe to print. `columns` >= 20.
std::string shown_place(std::string_view sql, std::size_t at, std::size_t columns);

// Where a text '...' begins that `sql` leaves open: the byte behind its quote. Nothing where none is open.
std::optional<std::size_t> open_text(std::string_view sql);

// A text of SQL: in single quotes, its own doubled.
std::string sql_string(std::string_view text);

}  // namespace residue::query
