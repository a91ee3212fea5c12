// parquet_cases FOLDER: files at the ends of what Parquet can hold, each with what it holds as JSON (check.mjs).
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "query/parquet/parquet_writer.h"
#include "tests/query/parquet/put_value.h"

namespace {

using namespace residue;
using query::ParquetColumn;
using query::ParquetType;
using query::testing::four;
using query::testing::put;
using Value = query::testing::ReadValue;
using Row = std::vector<Value>;

const char* type_name(ParquetType type) {
  switch (type) {
    case ParquetType::kBoolean:
      return "boolean";
    case ParquetType::kInt64:
      return "int64";
    case ParquetType::kDouble:
      return "double";
    case ParquetType::kUtf8:
      return "utf8";
  }
  return "";
}

Json spelled(const Value& value) {
  if (const auto* yes = std::get_if<bool>(&value)) return *yes;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) {
    return std::isnan(*real) ? std::string("nan") : fmt::format("{:016x}", std::bit_cast<std::uint64_t>(*real));
  }
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

class Cases {
 public:
  explicit Cases(std::string folder) : folder_(std::move(folder)) {}

  void write(const std::string& name, const std::vector<ParquetColumn>& columns, const std::vector<Row>& rows,
             query::ParquetSizes sizes = {}) const {
    std::ofstream file(folder_ + "/" + name + ".parquet", std::ios::binary);
    query::ParquetWriter writer(
        columns, [&](std::string_view bytes) { file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); },
        {{"case", name}}, sizes);
    Json said = {{"columns", Json::array()}, {"rows", Json::array()}};
    for (const ParquetColumn& column : columns) said["columns"].push_back({column.name, type_name(column.type)});
    for (const Row& row : rows) {
      Json line = Json::array();
      for (const Value& value : row) {
        put(writer, value);
        line.push_back(spelled(value));
      }
      writer.end_row();
      said["rows"].push_back(std::move(line));
    }
    writer.finish();
    std::ofstream(folder_ + "/" + name + ".json") << said.dump();
  }

 private:
  std::string folder_;
};

std::vector<Row> drawn(std::size_t count, unsigned nulls_in_ten) {
  std::mt19937_64 random(count + nulls_in_ten);
  const std::vector<std::string> words = {
      "", "a", "caf\xc3\xa9", "\xe6\xbc\xa2\xe5\xad\x97", "\xf0\x9f\x9a\xa2", "tab\t", "quote'\""};
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::uint64_t n = random() % 9; n > 0; --n) text += words[random() % words.size()];
    Row row = {text, static_cast<std::int64_t>(random()), std::bit_cast<double>(random()), random() % 3 == 0};
    for (Value& value : row) {
      if (random() % 10 < nulls_in_ten) value = {};
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void all_cases(const Cases& cases) {
  using Whole = std::numeric_limits<std::int64_t>;
  using Real = std::numeric_limits<double>;
  cases.write("no-rows", four(), {});
  cases.write("one-row", four(), {{"x", std::int64_t{1}, 0.5, true}});
  cases.write("one-null", four(), {Row(4)});
  cases.write("all-null", four(), std::vector<Row>(10'000, Row(4)));
  cases.write("ends", four(),
              {{"", Whole::min(), -0.0, false},
               {std::string("a\0b\0", 4), Whole::max(), 0.0, true},
               {std::string(1, '\0'), std::int64_t{0}, Real::infinity(), true},
               {"\xf4\x8f\xbf\xbf", std::int64_t{-1}, -Real::infinity(), false},
               {"\x7f\x01", std::int64_t{1} << 53U, Real::quiet_NaN(), true},
               {"e\xcc\x81", (std::int64_t{1} << 53U) + 1, Real::denorm_min(), true},
               Row(4),
               {std::string(2'000'000, 'x') + "\xc3\xa9", std::int64_t{7}, Real::max(), false},
               {"after", std::int64_t{8}, Real::lowest(), true}});
  cases.write("without-nulls", four(), drawn(5'000, 0));
  cases.write("some-nulls", four(), drawn(5'001, 3));
  cases.write("mostly-nulls", four(), drawn(4'999, 9));
  cases.write("many-groups", four(), drawn(5'000, 2), {.rows = 97});
  cases.write("many-pages", {{"whole", ParquetType::kInt64}, {"yes", ParquetType::kBoolean}}, [] {
    std::vector<Row> rows;
    for (std::int64_t i = 0; i < 150'000; ++i) rows.push_back({i * i, i % 7 == 0 ? Value() : Value(i % 2 == 0)});
    return rows;
  }());
  std::vector<ParquetColumn> columns;
  Row row;
  for (std::int64_t i = 0; i < 500; ++i) {
    columns.push_back({fmt::format("column {}", i), i % 2 == 0 ? ParquetType::kInt64 : ParquetType::kUtf8});
    row.push_back(i % 2 == 0 ? Value(i) : Value(std::to_string(i)));
  }
  cases.write("many-columns", columns, {row, Row(500), row});
  cases.write("names",
              {{"caf\xc3\xa9", ParquetType::kUtf8}, {"a \"b\"", ParquetType::kInt64}, {"select", ParquetType::kDouble}},
              {{"x", std::int64_t{1}, 1.5}});
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  all_cases(Cases(words[1]));
  return 0;
}
