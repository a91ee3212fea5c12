// One row as a small tree, whatever its format: what the row sources look fields up in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace residue::ingest {

// Views live until the next row of the reader that made the value.
struct Value {
  enum class Kind { kNull, kBool, kInteger, kReal, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string_view key;      // name, where this is a member of an object
  std::string_view text;     // of a string its characters; of a number or bool its canonical spelling
  std::vector<Value> items;  // elements or members, in the order of the file

  [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
  [[nodiscard]] const Value* member(std::string_view name) const;

  // The member named `path`, or the one that a dotted path leads to; nullptr where there is none.
  [[nodiscard]] const Value* at(std::string_view path) const;
};

struct InputRow {
  std::uint64_t line = 0;    // 1-based, the row's first line
  std::uint64_t index = 0;   // 0-based: of the line in JSON Lines, else of the row
  std::uint64_t number = 0;  // 1-based: of the row, blank lines not counted, those that are none counted; in any format
  bool typed = true;         // false for CSV: every cell is a string, an empty one is nothing
  Value object;
};

// Why a row is none. Thrown and caught inside this folder only; RowSource::next makes a RowError of it.
struct Refusal {
  std::string cause;
  std::string remedy;
};

// Canonical JSON: keys sorted by bytes, no white space, control characters escaped.
std::string canonical(const Value& value);
std::string json_string(std::string_view text);

}  // namespace residue::ingest
