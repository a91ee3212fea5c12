// What is brought in from Python: records, claims, labels, runs; claims and runs made by what is built in.
#pragma once

#include <pybind11/pybind11.h>

namespace residue::python {

void bind_ingesting(pybind11::module_& module);

}  // namespace residue::python
