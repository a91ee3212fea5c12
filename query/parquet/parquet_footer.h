// The footer of a Parquet file: its schema, and where each column of each row group is.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "query/parquet/parquet_chunk.h"

namespace residue::query {

struct ParquetColumn {
  std::string name;  // UTF-8
  ParquetType type = ParquetType::kUtf8;
};

struct ParquetGroup {
  std::int64_t rows = 0;
  std::vector<ChunkFacts> chunks;     // one a column
  std::vector<std::int64_t> offsets;  // of their first bytes in the file
};

// The metadata of a file as its last bytes have it, without length and magic.
std::string parquet_footer(const std::vector<ParquetColumn>& columns, const std::vector<ParquetGroup>& groups,
                           const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace residue::query
