// Which columns of a table are shown, and in which order its rows: --columns, --sort and --group.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/print/table.h"

namespace residue::cli {

struct Arrangement {
  std::vector<std::string> columns;  // names or titles, in the order wanted; none: all as they are
  std::string sort;                  // a column, then ":desc" for the greatest first; empty: as they come

  std::string group = {};  // a column: rows with the same value stand together, and it comes first

  [[nodiscard]] bool any() const { return !columns.empty() || !sort.empty() || !group.empty(); }
};

// Rows of `table` in the order wanted. Equal ones stay as they come; texts in the order in which people count; what has
// no value is last either way. Throws Error{usage} for a column that is not there, with the nearest that is.
std::vector<std::size_t> row_order(const Table& table, const Arrangement& how);

// The table as wanted. Throws as row_order, and for a column that is named twice.
Table arranged(const Table& table, const Arrangement& how);

}  // namespace residue::cli
