#include "query/export/condition.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "tests/query/export/export_fixture.h"

namespace residue::query {
namespace {

using Condition = ExportTest;

TEST_F(Condition, TakesExpressionsOverTheColumns) {
  for (const char* where :
       {"run = 'r'", "rating <= 2 AND outcome IS NOT NULL", "leaks.rating BETWEEN 1 AND 2", "record IN ('a', 'b')",
        "record LIKE 'a%' ESCAPE '\\'", "length(linked_text) > 10", "json_extract(category, '$[0]') = 'Health'",
        "CASE WHEN n > 1 THEN 1 ELSE 0 END", "run = 'r' -- a remark", "(run = 'r') OR (run = 'none')", "1",
        "lower(run) = 'r' COLLATE nocase", "\"run\" = 'r'"}) {
    SCOPED_TRACE(where);
    EXPECT_NO_THROW(rows("leaks", where));
  }
  EXPECT_EQ(rows("records", "record = 'a'").size(), 1U);
  EXPECT_EQ(rows("records", "record = 'z'").size(), 0U);
  EXPECT_EQ(rows("leaks", "linked_text LIKE '%asthma%' AND run = 'r'").size(), rows("leaks", "run = 'r'").size());
}

// What somebody would try who may read the released texts only, and wants more.
const std::vector<std::string>& hostile() {
  static const std::vector<std::string> all = {
      // what is not shown must decide nothing
      "text(claim_text) LIKE '%asthma%'",
      "claim_text > ''",
      "text(1) LIKE 'Maria%'",
      "length(text(linked_text)) > 0",
      "v.claim_text = 1",
      "rowid = 1",
      "bm25(linked_text) > 0",
      "snippet(linked_text, 'asthma') IS NULL",
      // other tables
      "EXISTS (SELECT 1 FROM records WHERE text(record_text) LIKE 'Maria%')",
      "(SELECT count(*) FROM main.record) > 1",
      "record IN (SELECT key FROM main.record)",
      "record IN main.dataset",
      "record IN temp.one_for_many",
      "1 IN (SELECT 1 FROM sqlite_master)",
      "EXISTS (WITH x AS (SELECT text(text_id) AS t FROM main.record) SELECT 1 FROM x WHERE t LIKE 'M%')",
      "EXISTS (VALUES (1))",
      "record IN json_each('[1]')",
      // out of the parentheses
      "1) UNION ALL SELECT text(text_id), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 FROM main.record WHERE (1",
      "1) UNION SELECT 1 FROM leaks WHERE (1",
      "1) ORDER BY (run",
      "1) GROUP BY (run",
      "1) LIMIT (1",
      "1), (1",
      "1) AS x, (1",
      "1) FROM leaks WHERE (1",
      "1) -- ",
      "1 /*",
      "1); SELECT 1; SELECT (1",
      "1)",
      "(1",
      "",
      " ",
      // the machine
      "load_extension('x') IS NULL",
      "readfile('/etc/passwd') IS NOT NULL",
      "writefile('x', 'y') > 0",
      "fts3_tokenizer('simple') IS NULL",
      "RAISE(ABORT, 'x')",
      "run MATCH 'r'",
      "run REGEXP 'r'",
      "?1 IS NULL",
      ":name IS NULL",
      "count(*) > 0",
      "row_number() OVER () > 1",
      "sqlite_compileoption_get(1) IS NULL",
      "last_insert_rowid() = 0",
      "main.leaks.zz = 1",
      "run = \"r\"",
      std::string(30'000, '('),
      "1" + std::string(200, '+') + "1",
      std::string("1\0 = 1", 6),
  };
  return all;
}

TEST_F(Condition, RefusesAllElse) {
  const ExportTable& table = export_table("leaks");
  for (const ReadLevel level : {ReadLevel::kReleased, ReadLevel::kClaims}) {
    request_.how.level = level;
    for (const std::string& where : hostile()) {
      if (level == ReadLevel::kClaims && where == "claim_text > ''") continue;  // a column of that level
      SCOPED_TRACE(where.substr(0, 80));
      try {
        where.empty() ? check_condition(where, table, columns_at(table, level, true)) : void(rows("leaks", where));
        ADD_FAILURE() << "it passed";
      } catch (const Error& error) {
        EXPECT_TRUE(error.code() == Code::kUsage || error.code() == Code::kBadInput) << error.what();
        EXPECT_FALSE(error.hint().empty());
      }
    }
  }
}

// What passes and costs much ends in the limits of the shell.
TEST_F(Condition, EndsInTheLimitsOfTheShell) {
  request_.how.timeout_ms = 2000;
  for (const char* where : {"length(randomblob(1000000000)) > 0",
                            "length(replace(printf('%.*c', 8000000, 'a'), 'a', "
                            "printf('%.*c', 8000000, 'b'))) > 0",
                            "printf('%.*c', 2000000000, 'x') = ''"}) {
    SCOPED_TRACE(where);
    try {
      rows("records", where);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage) << error.what();
    }
  }
}

TEST_F(Condition, NamesTheNearestColumnOrTheLevelThatHasIt) {
  const struct {
    const char* where;
    const char* hint;
  } cases[] = {{"recrd = 'a'", "did you mean record?"}, {"claim_text = 'a'", "--claims writes this column, too"}};
  for (const auto& one : cases) {
    try {
      rows("leaks", one.where);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.hint(), one.hint);
    }
  }
}

}  // namespace
}  // namespace residue::query
