#include "python/core/errors.h"

#include "base/error.h"

namespace residue::python {

void register_errors() {
  pybind11::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      const pybind11::object type = pybind11::module_::import("residue._errors").attr("Error");
      const pybind11::object made = type(static_cast<int>(error.code()), error.what(), error.hint());
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });
}

}  // namespace residue::python
