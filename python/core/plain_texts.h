// Measures of plain texts: no store is needed.
#pragma once

#include <pybind11/pybind11.h>

namespace residue::python {

void bind_plain_texts(pybind11::module_& module);

}  // namespace residue::python
