// What `ingest` says of files, said of rows of Python.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace residue::python {

// "standard input:3: ..." becomes "row 3: ...".
std::string of_rows(std::string_view note);

// The same of an error; its remedy names keyword arguments instead of flags.
Error of_rows(const Error& error);

}  // namespace residue::python
