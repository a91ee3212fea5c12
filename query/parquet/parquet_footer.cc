#include "query/parquet/parquet_footer.h"

#include "query/parquet/compact.h"

namespace residue::query {
namespace {

constexpr std::int32_t kOptional = 1, kUtf8Converted = 0, kPlain = 0, kRle = 3, kZstd = 6, kVersion = 1;

std::int32_t physical(ParquetType type) {
  switch (type) {
    case ParquetType::kBoolean:
      return 0;
    case ParquetType::kInt64:
      return 2;
    case ParquetType::kDouble:
      return 5;
    case ParquetType::kUtf8:
      return 6;
  }
  return 6;
}

void schema_of(const ParquetColumn& column, CompactStruct& out) {
  out.i32(1, physical(column.type));
  out.i32(3, kOptional);
  out.binary(4, column.name);
  if (column.type != ParquetType::kUtf8) return;
  out.i32(6, kUtf8Converted);
  out.inner(10, [](CompactStruct& logical) { logical.inner(1, [](CompactStruct&) {}); });  // STRING
}

void chunk_of(const ParquetColumn& column, const ChunkFacts& chunk, std::int64_t offset, CompactStruct& out) {
  out.i64(2, offset);
  out.inner(3, [&](CompactStruct& facts) {
    facts.i32(1, physical(column.type));
    facts.i32s(2, {kPlain, kRle});
    facts.binaries(3, {column.name});
    facts.i32(4, kZstd);
    facts.i64(5, chunk.values);
    facts.i64(6, chunk.raw_bytes);
    facts.i64(7, chunk.bytes);
    facts.i64(9, offset);
    facts.inner(12, [&](CompactStruct& statistics) {
      statistics.i64(3, chunk.nulls);
      if (chunk.most) statistics.binary(5, *chunk.most);
      if (chunk.least) statistics.binary(6, *chunk.least);
    });
  });
}

}  // namespace

std::string parquet_footer(const std::vector<ParquetColumn>& columns, const std::vector<ParquetGroup>& groups,
                           const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string bytes;
  std::int64_t rows = 0;
  for (const ParquetGroup& group : groups) rows += group.rows;
  CompactStruct file(bytes);
  file.i32(1, kVersion);
  file.structs(2, columns.size() + 1, [&](std::size_t at, CompactStruct& out) {
    if (at > 0) return schema_of(columns[at - 1], out);
    out.binary(4, "schema");
    out.i32(5, static_cast<std::int32_t>(columns.size()));
  });
  file.i64(3, rows);
  file.structs(4, groups.size(), [&](std::size_t at, CompactStruct& out) {
    const ParquetGroup& group = groups[at];
    std::int64_t raw = 0, compressed = 0;
    for (const ChunkFacts& chunk : group.chunks) {
      raw += chunk.raw_bytes;
      compressed += chunk.bytes;
    }
    out.structs(1, columns.size(), [&](std::size_t i, CompactStruct& chunk) {
      chunk_of(columns[i], group.chunks[i], group.offsets[i], chunk);
    });
    out.i64(2, raw);
    out.i64(3, group.rows);
    out.i64(5, group.offsets.front());
    out.i64(6, compressed);
  });
  if (!facts.empty()) {
    file.structs(5, facts.size(), [&](std::size_t at, CompactStruct& out) {
      out.binary(1, facts[at].first);
      out.binary(2, facts[at].second);
    });
  }
  file.binary(6, "residue");
  // Without it readers do not trust the smallest and largest values.
  file.structs(7, columns.size(), [](std::size_t, CompactStruct& order) { order.inner(1, [](CompactStruct&) {}); });
  file.end();
  return bytes;
}

}  // namespace residue::query
