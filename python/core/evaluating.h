// Bringing numbers up to date, and `quick` on two lists.
#pragma once

#include <pybind11/pybind11.h>

namespace residue::python {

void bind_evaluating(pybind11::module_& module);

}  // namespace residue::python
