#include "query/export/trec.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

class Trec : public testing::SmallStoreTest {
 protected:
  std::string run(const char* name, const char* protocol, TrecScore score = TrecScore::kLinkers) {
    std::string text;
    const storage::Lock held = store().hold_texts();
    trec_run(store(), "d", name, parse_protocol(protocol), score, {}, [&](std::string_view part) { text += part; });
    return text;
  }
};

TEST_F(Trec, HasTheBestTextsOfEachRecord) {
  std::istringstream lines(run("none", "bm25/first:1/claims"));
  std::string query, q0, found, tag;
  int rank = 0;
  double score = 0, before = 0;
  std::vector<std::string> best;
  while (lines >> query >> q0 >> found >> rank >> score >> tag) {
    EXPECT_EQ(q0, "Q0");
    EXPECT_EQ(tag, "none/bm25/first:1/claims");
    if (rank == 1) {
      best.push_back(query + found);
    } else {
      EXPECT_LE(score, before);
    }
    before = score;
  }
  EXPECT_EQ(best, (std::vector<std::string>{"aa", "bb"}));
}

// The first of each is what `eval` stored.
TEST_F(Trec, AgreesWithTheStoredLinks) {
  storage::Statement links = store().db().prepare(
      "SELECT r.key, o.key FROM link l JOIN run u ON u.id = l.run_id JOIN record r ON r.id = l.record_id"
      " JOIN record o ON o.id = l.linked_id JOIN protocol p ON p.id = l.protocol_id"
      " WHERE u.name = 'r' AND p.name LIKE 'bm25/%' ORDER BY r.id");
  std::string stored;
  while (links.step()) stored += std::string(links.text(0)) + " Q0 " + std::string(links.text(1)) + " 1 \n";
  std::istringstream lines(run("r", "bm25/first:1/claims"));
  std::string firsts;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(" 1 ");
    if (at != std::string::npos) firsts += line.substr(0, at + 3) + "\n";
  }
  EXPECT_EQ(firsts, stored);
  EXPECT_FALSE(stored.empty());
}

TEST_F(Trec, WritesRanksAsScores) {
  std::istringstream lines(run("none", "bm25/first:1/claims", TrecScore::kByRank));
  std::string query, q0, found, tag;
  int rank = 0;
  double score = 0;
  int count = 0;
  for (; lines >> query >> q0 >> found >> rank >> score >> tag; ++count) EXPECT_DOUBLE_EQ(score, 1.0 / rank);
  EXPECT_GE(count, 2);
}

TEST_F(Trec, HasTheRightAnswers) {
  std::string text;
  EXPECT_EQ(trec_qrels(store(), "d", [&](std::string_view part) { text += part; }), 2U);
  EXPECT_EQ(text, "a 0 a 1\nb 0 b 1\n");
}

TEST_F(Trec, WritesKeysAsOneWordEach) {
  EXPECT_EQ(trec_word("a b"), "a%20b");
  EXPECT_EQ(trec_word("a%20b"), "a%2520b");
  EXPECT_EQ(trec_word("a\tb\n"), "a%09b%0A");
  EXPECT_EQ(trec_word("\xc3\xa9"), "\xc3\xa9");
}

TEST_F(Trec, SaysWhatIsNotThere) {
  EXPECT_THROW(run("gone", "bm25/first:1"), Error);
  EXPECT_THROW(run("r", "bm25[runs=x+y]/first:1"), Error);
}

}  // namespace
}  // namespace residue::query
