#include "python/core/errors.h"

#include <string>

#include "base/error.h"

namespace residue::python {
namespace {

// What the verbs say for a terminal, where a call of the package does the same.
std::string remedy_of(const std::string& hint) {
  if (hint.starts_with("residue init")) return "residue.open(path, create=True) makes one";
  if (hint.starts_with("residue ingest dataset NAME FILE")) return "store.ingest_dataset(name, rows)";
  return hint;
}

}  // namespace

void register_errors() {
  pybind11::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const pybind11::object type = pybind11::module_::import("residue._errors").attr("Error");
      const pybind11::object made = type(static_cast<int>(error.code()), error.what(), remedy_of(error.hint()));
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });
}

}  // namespace residue::python
