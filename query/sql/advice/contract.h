// What the views promise, as one table: `residue help schema` prints it, and a test compares it with the views.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace residue::query {

// Raised when a view or a column is added. None is ever removed or given another meaning.
inline constexpr int kViewsVersion = 3;

struct ViewColumn {
  std::string_view name;
  std::string_view type;   // 'name', 'number', 'text id' (text(id) reads it), 'words', 'JSON'
  std::string_view unit;   // of numbers, may be empty
  std::string_view about;  // may be empty: a name as on the command line
};

struct ViewPromise {
  std::string_view name;
  std::string_view about;     // what a row is
  std::string_view question;  // that it answers
  std::span<const ViewColumn> columns;
};

// Data first, then runs, then what is computed of them.
std::span<const ViewPromise> view_promises();

// The names, separated by ", ".
std::string view_names();

// All of it, for people.
std::string views_as_text();

}  // namespace residue::query
