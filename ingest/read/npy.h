// Matrices as NumPy saves them, row by row: versions 1.0 to 3.0, little-endian f2, f4 or f8, C order, two dimensions.
//
//   "\x93NUMPY" major minor length(2 or 4 bytes) "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 384), }" values
//
// Format: numpy.lib.format. Memory: one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ingest/read/byte_source.h"

namespace residue::ingest {

class NpyReader {
 public:
  // Reads the header; `name` is for messages. Throws Error{bad input} for what is no such file, with a remedy.
  NpyReader(InputBuffer& input, std::string name);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }

  // The next row; false behind the last. Values that single precision cannot hold become infinite. Throws Error{bad
  // input} where the file ends too early, or goes on behind its last row.
  bool next(std::vector<float>& values);

 private:
  void read_header();
  [[nodiscard]] bool fill(std::size_t bytes);
  [[noreturn]] void refuse(const std::string& cause, const std::string& remedy) const;

  InputBuffer* input_;
  std::string name_;
  std::uint64_t rows_ = 0, next_ = 0;
  std::size_t columns_ = 0;
  std::size_t value_bytes_ = 0;  // 2, 4, 8
};

}  // namespace residue::ingest
