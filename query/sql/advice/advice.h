// What helps to write a statement again: where its error is, and which filter it lacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;

namespace residue::query {

// The name behind `start` in a message of SQLite, without what stands before its last dot. "": it is another message.
std::string named_in(std::string_view message, std::string_view start);

// The byte of `sql` that the last error of `db` is about: SQLite's own answer, else the name in its message. Nothing
// where neither is known.
std::optional<std::size_t> place_of_error(sqlite3* db, std::string_view sql);

// For a statement that took long: of each view that it reads, the filters by which its rows would be found, unless it
// has one of them. A filter is one by which SQLite's plan for the view changes. "" where there is nothing to say.
// `many_rows`: a view of fewer rows is not worth a word. Cost: a few statements prepared, and 0.1 s to count rows.
std::string missing_filters(sqlite3* db, std::string_view sql, std::int64_t many_rows);

}  // namespace residue::query
