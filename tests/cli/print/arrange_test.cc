#include "cli/print/arrange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/error.h"

namespace residue::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Table runs() {
  return {
      .columns = {{"run", Type::kText, "", true}, {"leak_rate", Type::kReal, "leak_rate↓"}, {"n", Type::kInteger, ""}},
      .rows = {{"a10", 0.5, std::int64_t{1}},
               {"a9", Cell(), std::int64_t{3}},
               {"b", 0.25, std::int64_t{2}},
               {"a1", 0.5, std::int64_t{10}}}};
}

std::string complaint(const Arrangement& how) {
  try {
    static_cast<void>(arranged(runs(), how));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    return error.what() + std::string(" | ") + error.hint();
  }
  return "";
}

TEST(Arrange, SortsNumbersAndTextsAndPutsWhatIsMissingLast) {
  EXPECT_THAT(row_order(runs(), {{}, "leak_rate"}), ElementsAre(2, 0, 3, 1));
  EXPECT_THAT(row_order(runs(), {{}, "leak_rate:desc"}), ElementsAre(0, 3, 2, 1));
  EXPECT_THAT(row_order(runs(), {{}, "leak_rate↓"}), ElementsAre(2, 0, 3, 1)) << "as the table calls it";
  EXPECT_THAT(row_order(runs(), {{}, "n:desc"}), ElementsAre(3, 1, 2, 0));
  EXPECT_THAT(row_order(runs(), {{}, "run"}), ElementsAre(3, 1, 0, 2)) << "a9 before a10";
  EXPECT_THAT(row_order(runs(), {}), ElementsAre(0, 1, 2, 3));
}

TEST(Arrange, SortsSettingsAsNumbersHoweverTheyWereGiven) {
  const Table table = {.columns = {{"param.p", Type::kReal, ""}},
                       .rows = {{"0.3"}, {"1e-5"}, {"010"}, {"1.10"}, {"1.1"}, {Cell()}}};
  EXPECT_THAT(row_order(table, {{}, "param.p"}), ElementsAre(1, 0, 4, 3, 2, 5));
}

TEST(Arrange, ShowsTheColumnsInTheOrderWanted) {
  const Table table = arranged(runs(), {{"n", "run"}, "leak_rate"});
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[0].name, "n");
  EXPECT_EQ(table.columns[1].name, "run");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_THAT(table.rows[0], ElementsAre(Cell(std::int64_t{2}), Cell("b"))) << "sorted by a column that is not shown";
}

TEST(Arrange, PutsRowsOfTheSameGroupTogetherAndItsColumnFirst) {
  EXPECT_THAT(row_order(runs(), {{}, "n", "leak_rate"}), ElementsAre(2, 0, 3, 1)) << "in a group as --sort has it";
  EXPECT_THAT(row_order(runs(), {{}, "n:desc", "leak_rate"}), ElementsAre(2, 3, 0, 1));
  EXPECT_EQ(arranged(runs(), {{}, "", "n"}).columns.front().name, "n");
  EXPECT_EQ(arranged(runs(), {{"run"}, "", "n"}).columns.size(), 2U);
  EXPECT_EQ(arranged(runs(), {{"run", "n"}, "", "n"}).columns.front().name, "run");
}

TEST(Arrange, NamesTheNearestColumn) {
  EXPECT_THAT(
      complaint({{"leakrate"}, ""}),
      HasSubstr("--columns: the table has no column 'leakrate'; did you mean \"leak_rate\"? | its columns: run, "
                "leak_rate, n"));
  EXPECT_THAT(complaint({{}, "m:desc"}), HasSubstr("--sort: the table has no column 'm'"));
  EXPECT_THAT(complaint({{"n", "run", "n"}, ""}), HasSubstr("--columns names a column twice"));
  EXPECT_THAT(complaint({{"\x1b[2J"}, ""}), HasSubstr("no column '\\x1b[2J'"));
}

}  // namespace
}  // namespace residue::cli
