// Parquet: bytes of input a second on one core, by kind of column. What is written is read back and compared first.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "query/parquet/parquet_writer.h"
#include "tests/query/parquet/parquet_reader.h"
#include "tests/query/parquet/put_value.h"

namespace {

using namespace residue;
using query::ParquetColumn;
using query::ParquetType;

constexpr int kTimes = 5;

// Words with Zipf-like ranks out of a made-up vocabulary.
std::string words(std::uint64_t seed, std::size_t bytes) {
  std::string text;
  for (std::uint64_t n = 0; text.size() < bytes; ++n) {
    const double u = static_cast<double>(hash_of(seed, "word", n) >> 11U) * 0x1p-53;
    const auto rank = static_cast<std::uint64_t>(6'000.0 * u * u * u);
    for (std::uint64_t h = mix(rank), left = 2 + rank % 7; left > 0; --left, h /= 20) {
      text += "etaoinshrdlucmfwygpb"[h % 20];
    }
    text += ' ';
  }
  return text;
}

// A table: how a row is written and what it counts as input, 8 bytes a number, the bytes of a text, 1 a yes or no.
struct Load {
  const char* name;
  std::vector<ParquetColumn> columns;
  std::size_t rows;
  std::function<std::size_t(query::ParquetWriter&, std::size_t row)> put;
};

struct Result {
  std::string bytes;
  std::size_t input = 0;
  double seconds = 0;
};

Result write(const Load& load) {
  Result result;
  result.bytes.reserve(64U << 20U);
  const std::clock_t begin = std::clock();
  query::ParquetWriter writer(load.columns, [&](std::string_view part) { result.bytes += part; });
  for (std::size_t row = 0; row < load.rows; ++row) {
    result.input += load.put(writer, row);
    writer.end_row();
  }
  writer.finish();
  result.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return result;
}

// Reads the file back and writes its values again. The bytes must be the same.
bool reads_back(const Load& load, const std::string& bytes) {
  const auto file = query::testing::read_parquet(bytes);
  if (file.rows != static_cast<std::int64_t>(load.rows)) return false;
  std::string again;
  query::ParquetWriter writer(load.columns, [&](std::string_view part) { again += part; });
  for (std::size_t row = 0; row < load.rows; ++row) {
    for (const auto& column : file.columns) {
      const auto& value = column[row];
      query::testing::put(writer, value);
    }
    writer.end_row();
  }
  writer.finish();
  return again == bytes;
}

}  // namespace

int main() {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < 20'000; ++i) texts.push_back(words(i, 1000));
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < 200'000; ++i) keys.push_back(fmt::format("record-{}", i));
  const auto draw = [](std::size_t row) { return hash_of(row, "draw", 0); };
  const std::vector<Load> loads = {{"texts of 1 kB",
                                    {{"text", ParquetType::kUtf8}},
                                    texts.size(),
                                    [&](query::ParquetWriter& out, std::size_t row) {
                                      out.utf8(texts[row]);
                                      return texts[row].size();
                                    }},
                                   {"numbers",
                                    {{"whole", ParquetType::kInt64}, {"real", ParquetType::kDouble}},
                                    2'000'000,
                                    [&](query::ParquetWriter& out, std::size_t row) {
                                      out.int64(static_cast<std::int64_t>(row));
                                      out.real(static_cast<double>(draw(row) % 1000) / 7);
                                      return std::size_t{16};
                                    }},
                                   {"scores (5 names, 1 key, 2 numbers)",
                                    {{"dataset", ParquetType::kUtf8},
                                     {"run", ParquetType::kUtf8},
                                     {"protocol", ParquetType::kUtf8},
                                     {"judge", ParquetType::kUtf8},
                                     {"record", ParquetType::kUtf8},
                                     {"metric", ParquetType::kUtf8},
                                     {"value", ParquetType::kDouble},
                                     {"weight", ParquetType::kDouble}},
                                    1'000'000,
                                    [&](query::ParquetWriter& out, std::size_t row) {
                                      const std::string& key = keys[row % keys.size()];
                                      constexpr std::string_view kProtocol = "bm25/random:3@42/claims";
                                      out.utf8("clinic");
                                      out.utf8("scrub");
                                      out.utf8(kProtocol);
                                      out.utf8("lexical");
                                      out.utf8(key);
                                      out.utf8("semantic_distance");
                                      if (row % 10 == 0) {
                                        out.null();
                                      } else {
                                        out.real(static_cast<double>(draw(row) % 13) / 12);
                                      }
                                      out.real(1);
                                      return 6 + 5 + kProtocol.size() + 7 + key.size() + 17 + 16;
                                    }}};
  bool fast = true;
  for (const Load& load : loads) {
    Result best = write(load);
    if (!reads_back(load, best.bytes)) {
      fmt::print("{}: what was written does not read back\n", load.name);
      return 1;
    }
    for (int i = 1; i < kTimes; ++i) best.seconds = std::min(best.seconds, write(load).seconds);
    const double rate = static_cast<double>(best.input) / best.seconds / 1e6;
    fast = fast && rate >= 100;
    fmt::print("{:36} {:8.1f} MB in {:6.3f} s of CPU: {:6.0f} MB/s, {:.3f} of its size\n", load.name,
               static_cast<double>(best.input) / 1e6, best.seconds, rate,
               static_cast<double>(best.bytes.size()) / static_cast<double>(best.input));
  }
  return fast ? 0 : 1;
}
