#include "query/parquet/parquet_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/query/parquet/parquet_reader.h"
#include "tests/query/parquet/put_value.h"

namespace residue::query {
namespace {

using testing::four;
using testing::put;
using testing::read_parquet;
using testing::ReadFile;
using testing::ReadValue;

using Row = std::vector<ReadValue>;

std::string written(const std::vector<ParquetColumn>& columns, const std::vector<Row>& rows, ParquetSizes sizes = {}) {
  std::string bytes;
  ParquetWriter writer(
      columns, [&](std::string_view part) { bytes += part; }, {{"residue.schema_version", "1"}}, sizes);
  for (const Row& row : rows) {
    for (const ReadValue& value : row) {
      put(writer, value);
    }
    writer.end_row();
  }
  writer.finish();
  return bytes;
}

bool same(const ReadValue& a, const ReadValue& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  if (x == nullptr || y == nullptr) return a == b;
  return (std::isnan(*x) && std::isnan(*y)) || (*x == *y && std::signbit(*x) == std::signbit(*y));
}

// Writes the rows, reads them back, and compares value by value.
ReadFile checked(const std::vector<ParquetColumn>& columns, const std::vector<Row>& rows, ParquetSizes sizes = {}) {
  ReadFile file = read_parquet(written(columns, rows, sizes));
  EXPECT_EQ(file.rows, static_cast<std::int64_t>(rows.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    EXPECT_EQ(file.names[i], columns[i].name);
    EXPECT_EQ(file.columns[i].size(), rows.size());
    for (std::size_t n = 0; n < rows.size() && n < file.columns[i].size(); ++n) {
      EXPECT_TRUE(same(file.columns[i][n], rows[n][i])) << columns[i].name << " of row " << n;
    }
  }
  return file;
}

Row nulls() { return Row(4); }

TEST(ParquetWriter, WritesAFileWithoutRows) {
  const ReadFile file = checked(four(), {});
  EXPECT_TRUE(file.footer.at(4).list.empty());
}

TEST(ParquetWriter, KeepsValuesAtTheirEnds) {
  constexpr auto kInf = std::numeric_limits<double>::infinity();
  using Whole = std::numeric_limits<std::int64_t>;
  checked(four(), {{"", Whole::min(), -0.0, false},
                   {std::string("a\0b", 3), Whole::max(), kInf, true},
                   {"\xc3\xa9\xf0\x9f\x9a\xa2", std::int64_t{0}, -kInf, true},
                   nulls(),
                   {std::string(3'000'000, 'x'), std::int64_t{-1}, std::nan(""), false},
                   {"after a long one", std::int64_t{1}, 5e-324, true}});
}

TEST(ParquetWriter, KeepsColumnsThatAreAllNullAndOneRow) {
  checked(four(), {nulls()});
  checked(four(), std::vector<Row>(1000, nulls()));
  checked({{"only", ParquetType::kBoolean}}, {{true}});
}

TEST(ParquetWriter, CutsIntoGroupsAndPages) {
  std::mt19937 random(7);
  std::vector<Row> rows;
  for (int i = 0; i < 10'000; ++i) {
    Row row = {std::string(random() % 400, static_cast<char>('a' + random() % 26)), static_cast<std::int64_t>(random()),
               static_cast<double>(random()) / 7, random() % 2 == 0};
    for (ReadValue& value : row) {
      if (random() % 9 == 0) value = {};
    }
    rows.push_back(row);
  }
  const ReadFile few = checked(four(), rows);
  EXPECT_EQ(few.footer.at(4).list.size(), 1U);
  const ReadFile many = checked(four(), rows, {.rows = 999});
  EXPECT_EQ(many.footer.at(4).list.size(), 11U);
  const ReadFile small = checked(four(), rows, {.group_bytes = 300'000});
  EXPECT_GT(small.footer.at(4).list.size(), 2U);
  // Memory is bounded by the group: no one is larger by more than what comes between two looks.
  for (const auto& group : small.footer.at(4).list) EXPECT_LE(group.at(6).number, 400'000);
}

TEST(ParquetWriter, EndsAPageWithTheValueThatFillsIt) {
  checked({{"whole", ParquetType::kInt64}}, std::vector<Row>(300'000, Row{std::int64_t{5}}), {.rows = 1'000'000});
  checked({{"yes", ParquetType::kBoolean}}, std::vector<Row>(131'073, Row{true}), {.rows = 1'000'000});
}

TEST(ParquetWriter, KeepsManyColumns) {
  std::vector<ParquetColumn> columns;
  Row row;
  for (std::int64_t i = 0; i < 300; ++i) {
    columns.push_back({"c" + std::to_string(i), ParquetType::kInt64});
    row.emplace_back(i);
  }
  checked(columns, {row, row});
}

// The statistics of column `at` in the first group.
const testing::Thrift& statistics(const ReadFile& file, std::size_t at) {
  return file.footer.at(4).list.at(0).at(1).list.at(at).at(3).at(12);
}

template <class Number>
std::string plain(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

TEST(ParquetWriter, TellsSmallestAndLargest) {
  const ReadFile file = checked(four(), {{"b", std::int64_t{3}, 0.0, false},
                                         nulls(),
                                         {"\xc3\xa9", std::int64_t{-4}, 2.5, false},
                                         {"a", std::int64_t{7}, 1.0, false}});
  EXPECT_EQ(statistics(file, 0).at(6).bytes, "a");
  EXPECT_EQ(statistics(file, 0).at(5).bytes, "\xc3\xa9");  // bytes are unsigned
  EXPECT_EQ(statistics(file, 1).at(6).bytes, plain(std::int64_t{-4}));
  EXPECT_EQ(statistics(file, 1).at(5).bytes, plain(std::int64_t{7}));
  EXPECT_EQ(statistics(file, 2).at(6).bytes, plain(-0.0));
  EXPECT_EQ(statistics(file, 2).at(5).bytes, plain(2.5));
  EXPECT_EQ(statistics(file, 3).at(6).bytes, std::string(1, '\0'));
  EXPECT_EQ(statistics(file, 3).at(5).bytes, std::string(1, '\0'));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(statistics(file, i).at(3).number, 1);
}

TEST(ParquetWriter, TellsNoOrderWhereThereIsNone) {
  const ReadFile file = checked(
      four(), {{std::string(65, 'a'), std::monostate(), std::nan(""), true}, {"b", std::monostate(), 1.0, true}});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(statistics(file, i).has(5)) << i;
    EXPECT_FALSE(statistics(file, i).has(6)) << i;
  }
}

// Each group's statistics are its own.
TEST(ParquetWriter, ForgetsTheStatisticsOfTheGroupBefore) {
  const ReadFile file =
      checked({{"whole", ParquetType::kInt64}}, {{std::int64_t{100}}, {std::int64_t{1}}}, {.rows = 1});
  const auto& second = file.footer.at(4).list.at(1).at(1).list.at(0).at(3).at(12);
  EXPECT_EQ(second.at(5).bytes, plain(std::int64_t{1}));
}

TEST(ParquetWriter, SaysWhatTheFileSaysOfItself) {
  const ReadFile file = checked(four(), {});
  EXPECT_EQ(file.footer.at(5).list.at(0).at(1).bytes, "residue.schema_version");
  EXPECT_EQ(file.footer.at(5).list.at(0).at(2).bytes, "1");
}

TEST(ParquetWriter, RefusesARowOfAnotherShape) {
  ParquetWriter writer(four(), [](std::string_view) {});
  EXPECT_THROW(writer.int64(1), Error);
  ParquetWriter narrow(four(), [](std::string_view) {});
  narrow.null();
  EXPECT_THROW(narrow.end_row(), Error);
  EXPECT_THROW(narrow.finish(), Error);
  ParquetWriter wide({{"only", ParquetType::kInt64}}, [](std::string_view) {});
  wide.null();
  EXPECT_THROW(wide.null(), Error);
}

// The same rows are the same bytes, however often.
TEST(ParquetWriter, WritesTheSameBytesAgain) {
  const std::vector<Row> rows(5000, Row{"words", std::int64_t{4}, 0.5, true});
  EXPECT_EQ(written(four(), rows), written(four(), rows));
}

}  // namespace
}  // namespace residue::query
