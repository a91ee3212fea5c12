// Writes rows of Python objects as JSON Lines into a file that exists only in memory.
#pragma once

#include <pybind11/pybind11.h>

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

 private:
  void write(const std::string& text) const;

  int file_ = -1;
};

}  // namespace residue::python
