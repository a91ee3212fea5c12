// residue::Error as residue.Error of Python, with .code, .message and .remedy.
#pragma once

#include <pybind11/pybind11.h>

namespace residue::python {

// From here on a residue::Error that leaves a function of the module is a residue.Error.
void register_errors();

}  // namespace residue::python
