#include "python/core/errors.h"

#include <string>
#include <string_view>

#include "base/error.h"

namespace residue::python {
namespace {

// What the verbs say for a terminal, where a call of the package does the same.
std::string remedy_of(const std::string& hint) {
  const struct {
    std::string_view command, call;
  } calls[] = {{"residue ingest dataset NAME FILE", "store.ingest_dataset(name, rows)"}};
  std::string remedy = hint;
  for (const auto& [command, call] : calls) {
    const std::size_t at = remedy.find(command);
    if (at != std::string::npos) remedy.replace(at, command.size(), call);
  }
  return remedy;
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
