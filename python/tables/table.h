// What a statement answered, as numpy arrays, as dicts, and as a stream of Arrow.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "python/tables/columns.h"

namespace residue::python {

struct Table {
  std::vector<Column> columns;
  std::uint64_t rows = 0;
};

// A PyCapsule "arrow_array_stream" over the table, which lives as long as the stream. Mixed columns are text.
pybind11::capsule arrow_stream(const std::shared_ptr<const Table>& table);

void bind_table(pybind11::module_& module);

}  // namespace residue::python
