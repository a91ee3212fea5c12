// For each table: what is lost with its rows, and which command brings them back.
#pragma once

#include <span>
#include <string_view>

namespace residue::storage {

enum class Loss {
  kInput,    // brought in: it must be brought in again
  kDerived,  // computed from the rest: eval does it again
  kRecord,   // says what happened once: it has a gap from now on
};

struct TableCost {
  std::string_view table;
  Loss loss;
  std::string_view remedy;
  // "table.column": a fingerprint of the rows. Repair changes it, so that what was computed from the lost rows is
  // stale.
  std::string_view content;
};

std::span<const TableCost> table_costs();

// A table that is not in the list counts as an input that only a backup brings back.
const TableCost& cost_of(std::string_view table);

}  // namespace residue::storage
