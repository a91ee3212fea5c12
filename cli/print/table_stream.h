// A table of which nobody knows how long it gets: written as it comes, in memory that does not grow with it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/print/globals.h"
#include "cli/print/output.h"
#include "cli/print/table.h"

namespace residue::cli {

// Formats with a row a line, json, md and latex come out as in one piece; the table form in parts of a thousand rows,
// each with its header and widths.
class TableStream {
 public:
  TableStream(Output& out, const Globals& globals, std::vector<Column> columns);

  // Throws Error{interrupted} once the reader of the result is gone, and as Output::flush().
  void row(std::vector<Cell> cells);

  // The last rows, and the end of the document.
  void finish();

 private:
  void write_part(bool last);
  [[nodiscard]] std::string document(bool last);

  Output& out_;
  const Globals& globals_;
  Table part_;
  std::size_t bytes_ = 0;  // of the texts in part_
  bool begun_ = false;
};

}  // namespace residue::cli
