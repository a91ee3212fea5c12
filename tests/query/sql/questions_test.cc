#include "query/sql/advice/questions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/views.h"
#include "storage/disk/files.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

// Tables that have a row for each record, claim or text, by the names that the views give them.
const std::set<std::string> kLarge = {"r", "c", "v", "l", "q", "s", "w", "o", "x", "y", "t", "a"};

// A line of a plan: 'SCAN l USING INDEX link_by_record'.
bool reads_through(const std::string& line) {
  if (!line.starts_with("SCAN ") || line.find("VIRTUAL TABLE") != std::string::npos) return false;
  return kLarge.count(line.substr(5, line.find(' ', 5) - 5)) != 0;
}

class QuestionsTest : public testing::SmallStoreTest {
 protected:
  QuestionsTest() { attach_views(store().db().handle()); }

  std::vector<std::string> plan(std::string_view sql) {
    std::vector<std::string> lines;
    storage::Statement statement = store().db().prepare("EXPLAIN QUERY PLAN " + std::string(sql));
    while (statement.step()) lines.emplace_back(statement.text(3));
    return lines;
  }
};

std::string without_functions(std::string sql) {  // that only the shell has
  for (const auto& [from, to] : {std::pair{"text(", "abs("},
                                 {"bm25('clinic/scrub', 'ferry captain', 3)", "records"},
                                 {"SELECT rank, record FROM records", "SELECT 1"}}) {
    for (auto at = sql.find(from); at != std::string::npos; at = sql.find(from)) {
      sql.replace(at, std::string_view(from).size(), to);
    }
  }
  return sql;
}

TEST_F(QuestionsTest, AreThirtyAndOfAllViewsThatMatter) {
  const auto all = questions();
  EXPECT_EQ(all.size(), 30U);
  std::set<std::string_view> words;
  std::string statements;
  for (const Question& one : all) {
    EXPECT_TRUE(words.insert(one.words).second) << one.words;
    EXPECT_TRUE(one.words.ends_with("?")) << one.words;
    EXPECT_EQ(one.statement.find(';'), std::string_view::npos);
    statements += one.statement;
  }
  for (const char* view : {"runs", "records", "persons", "claims", "variants", "spans", "labels", "links", "judgments",
                           "leaks", "scores", "metrics"}) {
    EXPECT_NE(statements.find(view), std::string::npos) << view;
  }
}

// Every question has a filter, and no table with a row for each record is read through for it.
TEST_F(QuestionsTest, FindTheirRowsByIndex) {
  // All records of the store, on purpose.
  const std::set<std::string_view> whole = {"Who has the most records?"};
  for (const Question& one : questions()) {
    SCOPED_TRACE(one.words);
    for (const std::string& line : plan(without_functions(std::string(one.statement)))) {
      EXPECT_TRUE(!reads_through(line) || whole.count(one.words) != 0) << line;
    }
  }
}

std::string about_town(std::string_view statement) {
  return statement_about(statement, {.dataset = "town",
                                     .run = "it's",
                                     .record = "r",
                                     .lens = AskedLens{.protocol = "bm25/all", .sample = 3, .judge = "far"}});
}

// A run of another dataset may have the same name, and a record may.
TEST(QuestionsAbout, AreOfOneDatasetOneAttackerAndOneJudge) {
  EXPECT_EQ(
      about_town("SELECT 1 FROM leaks WHERE run = 'scrub' AND record = 'n-01' AND protocol LIKE 'bm25/%' ORDER BY n"),
      "SELECT 1 FROM leaks WHERE dataset = 'town' AND run = 'it''s' AND record = 'r' AND protocol = 'bm25/all' AND "
      "sample = 3 AND judge = 'far' ORDER BY n");
  EXPECT_EQ(about_town("SELECT 1 FROM metrics p WHERE p.dataset = 'clinic' AND p.protocol LIKE 'bm25/%'"),
            "SELECT 1 FROM metrics p WHERE p.dataset = 'town' AND p.protocol = 'bm25/all' AND p.sample = 3 AND "
            "(p.judge = 'far' OR p.judge IS NULL)");
  EXPECT_EQ(about_town("SELECT 1 FROM links WHERE record = 'n-01' AND protocol LIKE 'bm25/%'"),
            "SELECT 1 FROM links WHERE dataset = 'town' AND record = 'r' AND protocol = 'bm25/all' AND sample = 3");
  EXPECT_EQ(
      about_town("SELECT 1 FROM judgments WHERE run = 'scrub' AND judge = 'lexical' AND protocol LIKE 'bm25/%'"),
      "SELECT 1 FROM judgments WHERE dataset = 'town' AND run = 'it''s' AND judge = 'far' AND protocol = 'bm25/all' "
      "AND sample = 3");
  EXPECT_EQ(
      about_town("SELECT n FROM leaks WHERE run = 'none' EXCEPT SELECT n FROM leaks WHERE run = 'scrub'"),
      "SELECT n FROM leaks WHERE dataset = 'town' AND run = 'none' EXCEPT SELECT n FROM leaks WHERE dataset = 'town' "
      "AND run = 'it''s'");
  EXPECT_EQ(about_town("SELECT 1 FROM bm25('clinic/scrub', 'ferry', 3)"),
            "SELECT 1 FROM bm25('town/it''s', 'ferry', 3)");
  EXPECT_EQ(statement_about("SELECT 1 FROM leaks WHERE protocol LIKE 'bm25/%'", {"town", "a", "r", std::nullopt}),
            "SELECT 1 FROM leaks WHERE protocol LIKE 'bm25/%'");
}

// About another dataset, each is a statement that names the demo nowhere and finds its rows as before.
TEST_F(QuestionsTest, AboutAnotherDatasetFindTheirRowsByIndex) {
  for (const Question& one : questions()) {
    SCOPED_TRACE(one.words);
    std::string statement = about_town(one.statement);
    for (const char* demo : {"clinic", "scrub", "n-01", "bm25/%", "lexical"}) {
      EXPECT_EQ(statement.find(demo), std::string::npos) << statement;
    }
    if (one.statement.find("run = ") != std::string_view::npos ||
        one.statement.find("record = ") != std::string_view::npos) {
      EXPECT_NE(statement.find("dataset = 'town'"), std::string::npos) << statement;
    }
    if (const auto at = statement.find("bm25('town/it''s'"); at != std::string::npos)
      continue;  // only the shell has it
    for (const std::string& line : plan(without_functions(statement))) {
      EXPECT_TRUE(!reads_through(line) || one.words == "Who has the most records?") << line;
    }
  }
}

// One filter alone, on each view that has it.
TEST_F(QuestionsTest, AnyOneFilterFindsItsRowsByIndex) {
  const std::map<std::string, std::vector<std::string>> filters = {
      {"record",
       {"records", "claims", "variants", "run_claims", "spans", "labels", "links", "judgments", "leaks", "scores",
        "answers", "intruder"}},
      {"run",
       {"runs", "variants", "run_claims", "spans", "links", "judgments", "leaks", "scores", "metrics", "answers",
        "intruder"}},
      {"protocol", {"links", "judgments", "leaks", "scores", "metrics"}},
      {"judge", {"judgments", "leaks", "scores", "metrics"}},
  };
  // Which gain nothing by the filter: small tables. Scores: see below.
  const std::set<std::string> whole = {"runs.run", "metrics.run", "metrics.protocol", "scores.protocol"};
  for (const auto& [column, views] : filters) {
    for (const std::string& view : views) {
      const std::string sql = fmt::format("SELECT * FROM {} WHERE {} = 'x'", view, column);
      SCOPED_TRACE(sql);
      for (const std::string& line : plan(sql)) {
        EXPECT_FALSE(reads_through(line)) << line;
      }
      if (whole.contains(view + "." + column)) continue;
      EXPECT_NE(plan(sql), plan(fmt::format("SELECT * FROM {} WHERE +{} = 'x'", view, column))) << "no index is used";
    }
  }
}

// An evaluation is of one attacker, one judge: those of others are left before their scores are read.
TEST_F(QuestionsTest, ScoresOfOtherAttackersAreNotRead) {
  for (const char* filter : {"protocol = 'x'", "protocol IS NULL", "protocol LIKE 'bm25/%'", "judge = 'x'"}) {
    const auto lines = plan(fmt::format("SELECT * FROM scores WHERE {}", filter));
    const auto starting = [&](std::string_view start) {
      return std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(start); });
    };
    EXPECT_LT(starting(std::string(filter).starts_with("judge") ? "SEARCH j " : "SEARCH p "),
              starting("SCAN s VIRTUAL TABLE"))
        << filter;
    EXPECT_NE(starting("SCAN s VIRTUAL TABLE"), lines.end());
  }
}

// The page that shows them has each as it is.
TEST_F(QuestionsTest, AreInTheDocs) {
  const std::string page = storage::read_small_file(RESIDUE_SOURCE_DIR "/docs/questions.md");
  std::string plain;
  for (std::size_t at = 0; at < page.size(); ++at) {
    if (page.compare(at, 3, "\n> ") == 0) {
      plain += '\n';
      at += 2;
    } else {
      plain += page[at];
    }
  }
  std::size_t at = 0;
  for (const Question& one : questions()) {
    for (const std::string_view part : {one.words, one.statement}) {
      const std::size_t found = plain.find(part, at);
      ASSERT_NE(found, std::string::npos) << part;
      at = found;
    }
  }
}

}  // namespace
}  // namespace residue::query
