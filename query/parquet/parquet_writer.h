// A flat Parquet file, written as its rows come: nullable columns, zstd, row groups. Memory does not grow with the
// number of rows, but for about 100 bytes a column of each row group.
//
//   rows ── a ChunkBuilder a column ──> row group ──> bytes to `out`; at the end the footer
//
// The format: the Parquet specification, version 1 data pages; query/parquet/compact.h writes its Thrift.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/parquet/parquet_footer.h"

namespace residue::query {

struct ParquetSizes {
  std::int64_t rows = 122'880;           // of a row group at most: what DuckDB reads at once
  std::size_t group_bytes = 16U << 20U;  // a group ends with the row that makes it take this much memory
};

class ParquetWriter {
 public:
  using Out = std::function<void(std::string_view bytes)>;

  // `columns`: at least one. `facts`: key and value pairs that the file says of itself. What `out` throws ends the
  // file: nothing may be written after it.
  ParquetWriter(std::vector<ParquetColumn> columns, Out out,
                std::vector<std::pair<std::string, std::string>> facts = {}, ParquetSizes sizes = {});

  // The values of a row, in order of the columns, then end_row(). A value that is not of its column's type, and a row
  // that is not as wide as the file, is Error{internal}. Texts must be UTF-8.
  void null();
  void boolean(bool value);
  void int64(std::int64_t value);
  void real(double value);
  void utf8(std::string_view value);
  void end_row();

  // The last rows and the footer. Once, at the end.
  void finish();

 private:
  ChunkBuilder& next(ParquetType type);
  ChunkBuilder& next();
  void end_group();
  void write(std::string_view bytes);

  std::vector<ParquetColumn> columns_;
  Out out_;
  std::vector<std::pair<std::string, std::string>> facts_;
  ParquetSizes sizes_;
  PageCompressor compressor_;
  std::vector<ChunkBuilder> chunks_;
  std::vector<ParquetGroup> groups_;
  std::size_t at_ = 0;           // the column of the next value
  std::int64_t group_rows_ = 0;  // of the open one
  std::int64_t written_ = 0;     // bytes
  std::size_t text_bytes_ = 0;   // since memory was looked at
};

}  // namespace residue::query
