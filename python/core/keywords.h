// Keyword arguments of Python, taken one by one: None is as good as not given, what nobody takes is a mistake.
#pragma once

#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>

#include "base/error.h"

namespace residue::python {

class Keywords {
 public:
  explicit Keywords(const pybind11::dict& given) : left_(given.attr("copy")()) {}

  // Nothing where it was not given. Throws Error{usage} for a value of another type.
  template <class T>
  std::optional<T> take(const char* name) {
    const pybind11::object value = left_.attr("pop")(name, pybind11::none());
    if (value.is_none()) return std::nullopt;
    try {
      return value.cast<T>();
    } catch (const pybind11::cast_error&) {
      throw Error(Code::kUsage, fmt::format("{}= is a {}, which it cannot be", name, Py_TYPE(value.ptr())->tp_name),
                  fmt::format("see help(): what {}= takes", name));
    }
  }

  pybind11::object progress() { return left_.attr("pop")("progress", pybind11::none()); }

  // Throws Error{usage} naming the first that is left.
  void check_all_taken() const {
    for (const auto& [name, value] : left_) {
      if (value.is_none()) continue;
      throw Error(Code::kUsage, fmt::format("{}= means nothing here", name.cast<std::string>()), "leave it out");
    }
  }

 private:
  pybind11::dict left_;
};

}  // namespace residue::python
