#include "python/tables/table.h"

#include <pybind11/numpy.h>

#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "base/hash.h"

namespace residue::python {
namespace {

namespace py = pybind11;

// Texts as str. Names of runs, metrics and records come again and again: a str that was made lately is used again.
class Texts {
 public:
  py::object str(std::string_view text) {
    if (text.size() > kLongest) return decoded(text);
    Place& place = places_[hash_bytes(text) % places_.size()];
    if (!place.made || place.text != text) place = {text, decoded(text)};
    return place.made;
  }

 private:
  static constexpr std::size_t kLongest = 64;
  struct Place {
    std::string_view text;  // of the column
    py::object made;
  };

  static py::object decoded(std::string_view text) {
    PyObject* made = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
    if (made == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::object>(made);
  }

  std::array<Place, 4096> places_;
};

py::object object_of(const query::PackedValue& value, Texts& texts) {
  switch (value.type) {
    case 'i':
      return py::int_(value.whole);
    case 'r':
      return py::float_(value.real);
    case 't':
      return texts.str(value.text);
    case 'b':
      return py::bytes(value.text.data(), value.text.size());
    default:
      return py::none();
  }
}

// A column as an array of numpy and, of whole numbers with NULLs, an array that is true where a NULL is.
py::tuple arrays_of(const Column& column) {
  const auto rows = static_cast<py::ssize_t>(column.size());
  const ColumnType type = column.type();
  if (type == ColumnType::kWhole && !column.has_null()) {
    return py::make_tuple(py::array_t<std::int64_t>(rows, column.all_whole().data()), py::none());
  }
  if (type == ColumnType::kWhole) {
    py::array_t<std::int64_t> values(rows);
    py::array_t<bool> nulls(rows);
    std::int64_t* value_at = values.mutable_data();
    bool* null_at = nulls.mutable_data();
    column.each([&](const query::PackedValue& value) {
      *value_at++ = value.type == 'i' ? value.whole : 0;
      *null_at++ = value.type == 'n';
    });
    return py::make_tuple(values, nulls);
  }
  if (type == ColumnType::kReal && !column.has_null() && column.all_real().size() == column.size()) {
    return py::make_tuple(py::array_t<double>(rows, column.all_real().data()), py::none());
  }
  if (type == ColumnType::kReal) {
    py::array_t<double> values(rows);
    double* at = values.mutable_data();
    column.each([&](const query::PackedValue& value) {
      *at++ = value.type == 'r'   ? value.real
              : value.type == 'i' ? static_cast<double>(value.whole)
                                  : std::numeric_limits<double>::quiet_NaN();
    });
    return py::make_tuple(values, py::none());
  }
  py::array values(py::dtype("O"), rows);
  auto** at = static_cast<PyObject**>(values.mutable_data());
  const auto texts = std::make_unique<Texts>();
  column.each([&](const query::PackedValue& value) {
    PyObject* before = std::exchange(*at++, object_of(value, *texts).release().ptr());
    Py_XDECREF(before);
  });
  return py::make_tuple(values, py::none());
}

py::list dicts_of(const Table& table) {
  std::vector<Column::Reader> readers;
  std::vector<py::object> names;
  const auto texts = std::make_unique<Texts>();
  for (const Column& column : table.columns) {
    readers.emplace_back(column);
    names.push_back(py::str(column.name()));
  }
  py::list rows(table.rows);
  for (std::uint64_t row = 0; row < table.rows; ++row) {
    py::dict fields;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const py::object value = object_of(readers[i].next(), *texts);
      if (PyDict_SetItem(fields.ptr(), names[i].ptr(), value.ptr()) != 0) throw py::error_already_set();
    }
    PyList_SET_ITEM(rows.ptr(), static_cast<Py_ssize_t>(row), fields.release().ptr());
  }
  return rows;
}

}  // namespace

void bind_table(py::module_& module) {
  py::class_<Table, std::shared_ptr<Table>>(module, "Table")
      .def("__len__", [](const Table& table) { return table.rows; })
      .def_property_readonly("columns",
                             [](const Table& table) {
                               py::list names;
                               for (const Column& column : table.columns) names.append(column.name());
                               return names;
                             })
      .def("arrays",
           [](const Table& table) {
             py::list all;
             for (const Column& column : table.columns) all.append(arrays_of(column));
             return all;
           })
      .def("dicts", &dicts_of)
      .def(
          "__arrow_c_stream__",
          [](const std::shared_ptr<Table>& table, const py::object&) { return arrow_stream(table); },
          py::arg("requested_schema") = py::none());
}

}  // namespace residue::python
