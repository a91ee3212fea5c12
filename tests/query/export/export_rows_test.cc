#include "query/export/export_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "query/sql/sql_shell.h"
#include "tests/query/export/export_fixture.h"

namespace residue::query {
namespace {

using ExportRows = ExportTest;

TEST_F(ExportRows, HasEveryTableAtEveryLevel) {
  for (const ReadLevel level : {ReadLevel::kReleased, ReadLevel::kClaims, ReadLevel::kOriginals}) {
    for (const ExportTable& table : export_tables()) {
      SCOPED_TRACE(table.name);
      request_.how.level = level;
      EXPECT_NO_THROW(rows(table.name, "dataset = 'd'"));
    }
  }
}

TEST_F(ExportRows, HasTextsOfTheRunAtTheLowestLevel) {
  EXPECT_EQ(rows("variants", "run = 'r'"),
            (std::vector<std::string>{"d|r|a|NULL|NULL|A person keeps bees. She has asthma since childhood.",
                                      "d|r|b|NULL|failed|NULL"}));
  // The control's text is the original.
  EXPECT_EQ(rows("variants", "run = 'none' AND record = 'a'"), (std::vector<std::string>{"d|none|a|NULL|NULL|NULL"}));
  request_.how.level = ReadLevel::kOriginals;
  EXPECT_EQ(rows("variants", "run = 'none' AND record = 'a'").at(0),
            "d|none|a|NULL|NULL|Maria keeps bees in Graz. She has asthma since childhood.|"
            "Maria keeps bees in Graz. She has asthma since childhood.");
}

TEST_F(ExportRows, HasClaimsAndOriginalsOnlyWhereTheyWereAskedFor) {
  struct Case {
    ReadLevel level;
    const char* table;
    std::size_t columns;
  };
  for (const Case& one : {Case{ReadLevel::kReleased, "records", 4}, Case{ReadLevel::kClaims, "records", 4},
                          Case{ReadLevel::kOriginals, "records", 7}, Case{ReadLevel::kReleased, "claims", 5},
                          Case{ReadLevel::kClaims, "claims", 6}, Case{ReadLevel::kReleased, "labels", 4},
                          Case{ReadLevel::kClaims, "labels", 6}}) {
    EXPECT_EQ(columns_at(export_table(one.table), one.level, true).size(), one.columns) << one.table;
  }
  EXPECT_EQ(rows("records").at(0), "d|a|NULL|NULL");
  request_.how.level = ReadLevel::kClaims;
  EXPECT_EQ(rows("claims", "n = 2").at(0), "d|claims|a|2|[\"Health\"]|She has asthma since childhood.");
}

TEST_F(ExportRows, TellsNoOriginalBelowItsLevel) {
  for (const ExportTable& table : export_tables()) {
    for (const std::string& row : rows(table.name)) EXPECT_FALSE(tells_original(row)) << table.name << ": " << row;
  }
}

TEST_F(ExportRows, LeavesTextsOut) {
  request_.how.texts = false;
  EXPECT_EQ(rows("variants", "run = 'r' AND error IS NULL"), (std::vector<std::string>{"d|r|a|NULL|NULL"}));
}

TEST_F(ExportRows, GivesLeaksAsTheShellDoes) {
  request_.how.level = ReadLevel::kClaims;
  std::vector<std::string> asked;
  SqlSink sink{[](const auto&) {}, [&](const std::vector<SqlValue>& row) { asked.push_back(shown(row.at(0))); }};
  run_statement(request_.how, "SELECT text(claim_text) FROM leaks WHERE run = 'r' AND rating = 1", sink);
  std::vector<std::string> got;
  for (const std::string& row : rows("leaks", "run = 'r' AND rating = 1")) {
    const std::string before = row.substr(0, row.rfind('|'));
    got.push_back(before.substr(before.rfind('|') + 1));
  }
  EXPECT_EQ(got, asked);
  EXPECT_FALSE(got.empty());
}

TEST_F(ExportRows, StopsAtTheRowsThatAreAskedFor) {
  request_.how.most_rows = 1;
  request_.table = &export_table("records");
  int count = 0;
  EXPECT_TRUE(export_rows(request_, [&](const ExportRow&) { ++count; }));
  EXPECT_EQ(count, 1);
}

TEST_F(ExportRows, NamesTheNearestTable) {
  try {
    static_cast<void>(export_table("leeks"));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(std::string(error.what()).find("leaks"), std::string::npos);
  }
}

}  // namespace
}  // namespace residue::query
