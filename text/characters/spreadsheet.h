// The apostrophe that keeps a spreadsheet from running a cell of CSV as a formula, and how it comes off again.
#pragma once

#include <cstddef>
#include <string_view>

namespace residue::text {

// Whether a cell gets the apostrophe: it begins with = + - @ TAB or CR, or with apostrophes and then one of these. The
// second is run by no spreadsheet. It gets one so that the first apostrophe of every such cell was put there.
inline bool needs_apostrophe(std::string_view cell) {
  const std::size_t first = cell.find_first_not_of('\'');
  return first != std::string_view::npos && std::string_view("=+-@\t\r").find(cell[first]) != std::string_view::npos;
}

// Whether a cell that was written so has it.
inline bool has_apostrophe(std::string_view cell) {
  return !cell.empty() && cell[0] == '\'' && needs_apostrophe(cell.substr(1));
}

}  // namespace residue::text
