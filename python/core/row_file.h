// Rows of Python objects as a file of JSON Lines that is nowhere but in memory.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <string>

namespace residue::python {

// The readers of `ingest` read it by its path, as any other file. Texts of people are not put on a disk that nobody
// named.
class RowFile {
 public:
  // Reads `rows` to its end: an iterable of mappings from str to None, bool, int, float, str, and lists and mappings of
  // these. A float that is no number (NaN), pandas.NA and NaT are null. Numbers of numpy are numbers. Throws Error{bad
  // input} with the row's number and the key for everything else, Error{usage} for what is no iterable of mappings, and
  // what the iterable throws.
  explicit RowFile(const pybind11::object& rows);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::uint64_t rows() const { return rows_; }

 private:
  void write(const std::string& text) const;

  int file_ = -1;
  std::uint64_t rows_ = 0;
};

}  // namespace residue::python
