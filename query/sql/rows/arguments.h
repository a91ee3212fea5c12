// Which columns of a table-valued function are given: the plan of xBestIndex, and the values that come with it.
#pragma once

#include <sqlite3.h>

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace residue::query {

// A column that a plan can use. An argument is needed, and SQLite does not look at it again.
struct Given {
  int column;
  bool argument = false;
};

// Sets bit i of idxNum where columns[i] is compared with a value; the values arrive in their order. False: an argument
// would be known in another order of the joins only.
template <std::size_t kColumns>
bool choose_given(sqlite3_index_info& info, const std::array<Given, kColumns>& columns) {
  std::array<int, kColumns> place;
  place.fill(-1);
  for (int i = 0; i < info.nConstraint; ++i) {
    const auto& constraint = info.aConstraint[i];
    if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    for (std::size_t at = 0; at < kColumns; ++at) {
      if (constraint.iColumn != columns[at].column) continue;
      if (constraint.usable == 0) {
        if (columns[at].argument) return false;
        continue;
      }
      const char* collation = sqlite3_vtab_collation(&info, i);
      if (columns[at].argument || (collation != nullptr && std::strcmp(collation, "BINARY") == 0)) {
        place[at] = i;
      }
    }
  }
  int count = 0;
  for (std::size_t at = 0; at < kColumns; ++at) {
    if (place[at] < 0) continue;
    info.aConstraintUsage[place[at]].argvIndex = ++count;
    info.aConstraintUsage[place[at]].omit = columns[at].argument ? 1 : 0;
    info.idxNum |= 1 << at;
  }
  return true;
}

// The values by their columns; null where one is not given.
template <std::size_t kColumns>
std::array<sqlite3_value*, kColumns> given_values(int plan, std::span<sqlite3_value*> values) {
  std::array<sqlite3_value*, kColumns> given{};
  std::size_t next = 0;
  for (std::size_t at = 0; at < kColumns && next < values.size(); ++at) {
    if ((plan & (1 << at)) != 0) given[at] = values[next++];
  }
  return given;
}

inline bool is_id(sqlite3_value* value) { return value != nullptr && sqlite3_value_type(value) == SQLITE_INTEGER; }
inline bool is_null(sqlite3_value* value) { return value != nullptr && sqlite3_value_type(value) == SQLITE_NULL; }

// What a column of texts is compared with, as long as the value lives. Nothing: every row is to be looked at, as SQLite
// compares a text with another type by rules of its own.
inline std::optional<std::string_view> text_of(sqlite3_value* value) {
  if (value == nullptr || sqlite3_value_type(value) != SQLITE_TEXT) return std::nullopt;
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

}  // namespace residue::query
