#include "python/core/row_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace residue::python {
namespace {

namespace py = pybind11;

constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr int kDeepest = 64;

// A value that JSON does not have. The caller knows the row and the key.
struct NoValue {
  std::string why;
  std::string remedy;
};

std::string type_name(PyObject* value) { return Py_TYPE(value)->tp_name; }

void put_string(std::string& out, PyObject* value) {
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(value, &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    throw NoValue{"the str has half a character (a lone surrogate)", "decode it again, with errors='replace'"};
  }
  out += '"';
  const std::string_view text(bytes, static_cast<std::size_t>(size));
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    out.append(text, from, i - from);
    from = i + 1;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", c);
    }
  }
  out.append(text, from);
  out += '"';
}

void put_value(std::string& out, PyObject* value, int depth);

void put_float(std::string& out, PyObject* value) {
  const double number = PyFloat_AS_DOUBLE(value);
  if (std::isnan(number)) {
    out += "null";
  } else if (std::isinf(number)) {
    throw NoValue{"the float is infinite", "give a number, or None"};
  } else {
    fmt::format_to(std::back_inserter(out), "{}", number);
  }
}

void put_int(std::string& out, PyObject* value) {
  int over = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value, &over);
  if (over != 0) throw NoValue{"the int needs more than 64 bits", "give it as a str"};
  fmt::format_to(std::back_inserter(out), "{}", number);
}

void put_mapping(std::string& out, PyObject* value, int depth) {
  const py::dict fields(py::reinterpret_borrow<py::object>(value));
  char before = '{';
  for (const auto& [key, field] : fields) {
    if (!PyUnicode_Check(key.ptr())) throw NoValue{"a key is a " + type_name(key.ptr()), "keys are str"};
    out += before;
    put_string(out, key.ptr());
    out += ':';
    put_value(out, field.ptr(), depth + 1);
    before = ',';
  }
  out += before == '{' ? "{}" : "}";
}

void put_list(std::string& out, const py::object& values, int depth) {
  char before = '[';
  for (const py::handle one : values) {
    out += before;
    put_value(out, one.ptr(), depth + 1);
    before = ',';
  }
  out += before == '[' ? "[]" : "]";
}

bool is_mapping(PyObject* value) {
  return PyDict_Check(value) || (PyMapping_Check(value) && PyObject_HasAttrString(value, "keys") == 1);
}

void put_value(std::string& out, PyObject* value, int depth) {
  if (depth > kDeepest) throw NoValue{"lists and mappings are nested too deeply", "give a flatter value"};
  if (PyUnicode_Check(value)) return put_string(out, value);
  const std::string_view name = Py_TYPE(value)->tp_name;
  if (value == Py_None || name == "NAType" || name == "NaTType" || name == "pandas._libs.missing.NAType" ||
      name == "pandas._libs.tslibs.nattype.NaTType") {
    out += "null";
  } else if (PyBool_Check(value)) {
    out += value == Py_True ? "true" : "false";
  } else if (PyLong_Check(value)) {
    put_int(out, value);
  } else if (PyFloat_Check(value)) {
    put_float(out, value);
  } else if (is_mapping(value)) {
    put_mapping(out, value, depth);
  } else if (PyList_Check(value) || PyTuple_Check(value)) {
    put_list(out, py::reinterpret_borrow<py::object>(value), depth);
  } else if (name == "numpy.ndarray") {
    put_value(out, py::reinterpret_borrow<py::object>(value).attr("tolist")().ptr(), depth + 1);
  } else if (name.starts_with("numpy.") && PyObject_HasAttrString(value, "item") == 1) {
    put_value(out, py::reinterpret_borrow<py::object>(value).attr("item")().ptr(), depth + 1);
  } else {
    throw NoValue{fmt::format("a {} is no value of a row", name),
                  "give None, bool, int, float, str, or lists and dicts of these"};
  }
}

// One row, and in what is thrown its number and key.
void put_row(std::string& out, PyObject* row, std::uint64_t number) {
  if (!is_mapping(row)) {
    throw Error(Code::kBadInput, fmt::format("row {}: a mapping was expected, not {}", number, type_name(row)),
                "give a dict for each row: {'id': ..., 'text': ...}; nothing was stored");
  }
  const py::dict fields(py::reinterpret_borrow<py::object>(row));
  char before = '{';
  for (const auto& [key, value] : fields) {
    std::string name;
    try {
      if (!PyUnicode_Check(key.ptr())) throw NoValue{"the key is a " + type_name(key.ptr()), "keys are str"};
      out += before;
      put_string(name, key.ptr());
      out += name;
      out += ':';
      put_value(out, value.ptr(), 0);
      before = ',';
    } catch (const NoValue& bad) {
      throw Error(Code::kBadInput, fmt::format("row {}{}: {}", number, name.empty() ? "" : ", key " + name, bad.why),
                  bad.remedy + "; nothing was stored");
    }
  }
  out += before == '{' ? "{}\n" : "}\n";
}

}  // namespace

RowFile::RowFile(const py::object& rows) : file_(::memfd_create("residue-rows", MFD_CLOEXEC)) {
  if (file_ < 0) throw Error(Code::kTryAgain, "no memory for the rows", "too many files may be open");
  if (PyUnicode_Check(rows.ptr()) || PyBytes_Check(rows.ptr()) || is_mapping(rows.ptr())) {
    throw Error(Code::kUsage, fmt::format("rows were expected, not one {}", type_name(rows.ptr())),
                "give a data frame, a dataset, or an iterable of dicts");
  }
  if (PyObject_HasAttrString(rows.ptr(), "__iter__") == 0 && PySequence_Check(rows.ptr()) == 0) {
    throw Error(Code::kUsage, fmt::format("rows were expected, not a {}", type_name(rows.ptr())),
                "give a data frame, a dataset, or an iterable of dicts");
  }
  std::string text;
  std::uint64_t number = 0;
  for (const py::handle row : rows) {
    put_row(text, row.ptr(), ++number);
    if (number % 256 == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (text.size() < kPiece) continue;
    write(text);
    text.clear();
  }
  write(text);
}

RowFile::~RowFile() {
  if (file_ >= 0) ::close(file_);
}

std::string RowFile::path() const { return fmt::format("/proc/self/fd/{}", file_); }

void RowFile::write(const std::string& text) const {
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw Error(Code::kTryAgain, "no memory for the rows", "give fewer rows at a time");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace residue::python
