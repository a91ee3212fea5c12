// Values as the reader gives them, put into a writer.
#pragma once

#include <variant>
#include <vector>

#include "query/parquet/parquet_writer.h"
#include "tests/query/parquet/parquet_reader.h"

namespace residue::query::testing {

inline void put(ParquetWriter& writer, const ReadValue& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return writer.boolean(*yes);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return writer.int64(*whole);
  if (const auto* real = std::get_if<double>(&value)) return writer.real(*real);
  if (const auto* text = std::get_if<std::string>(&value)) return writer.utf8(*text);
  writer.null();
}

// A column of each type.
inline const std::vector<ParquetColumn>& four() {
  static const std::vector<ParquetColumn> columns = {{"text", ParquetType::kUtf8},
                                                     {"whole", ParquetType::kInt64},
                                                     {"real", ParquetType::kDouble},
                                                     {"yes", ParquetType::kBoolean}};
  return columns;
}

}  // namespace residue::query::testing
