// A result as rows and columns, and how it looks on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace residue::cli {

// kPercent holds a fraction (0.25 shows as "25.0 %"), kBytes a size (shows as "1.5 MiB"); files get the plain number.
enum class Type { kText, kInteger, kReal, kPercent, kBytes };

struct Column {
  std::string name;  // as in json and csv: snake_case
  Type type = Type::kText;
  std::string title;  // as in tables; empty: the name
  bool key = false;   // says which row this is, with the other keys
  int tied = 0;       // to the column in front, in one block where there is room: 2, it is about it; 1, like it
};

using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

// Counts and optional values as cells.
inline Cell cell(std::uint64_t value) { return static_cast<std::int64_t>(value); }
template <class T>
Cell cell(const std::optional<T>& value) {
  return value ? Cell(*value) : Cell();
}

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as `columns`
};

struct Look {
  std::size_t width = 0;  // columns of the terminal; 0: never cut
  bool color = false;
};

// How a cell reads for people: 4 decimals, "-" for null, one line: "↵" for a line break, other control
// characters spelled out.
std::string shown(const Cell& cell, Type type);

// Header, rule, rows; numbers to the right. Where it is too wide, text is cut with an ellipsis, the widest columns
// first; where that is not enough, further columns follow in a block below that repeats the keys (none: the first
// column); columns that are tied stay together as far as they fit. Keys are cut last, in their middle, and never so
// that two rows become the same: rather a line is too long.
std::string render_table(const Table& table, const Look& look);

// A single row as lines "title  value".
std::string render_fields(const Table& table, const Look& look);

}  // namespace residue::cli
