// What it costs that rows of a table are lost, and how they come back.
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
  // What says which state of the lost rows others were computed from: "table.column", all of it changed after a loss.
  std::string_view content;
};

std::span<const TableCost> table_costs();

// Of a table that is not in the list: an input with the remedy to restore a backup.
const TableCost& cost_of(std::string_view table);

}  // namespace residue::storage
