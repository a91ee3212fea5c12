// SQL over the public views, as a table.
#pragma once

#include <pybind11/pybind11.h>

namespace residue::python {

void bind_statements(pybind11::module_& module);

}  // namespace residue::python
