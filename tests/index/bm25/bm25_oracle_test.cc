#include "tests/index/bm25/bm25_oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "text/words/analyzer.h"

namespace residue::index {
namespace {

TEST(Bm25Oracle, GivesTheScoresOfAPocketCalculator) {
  // N = 3 (the empty text does not count), lengths 4, 1, 1: average 2.
  const std::vector<Bm25Oracle::Document> documents = {
      {{1}, "b", "fever fever knee wine"}, {{2}, "c", "fever"}, {{3}, "d", ""}, {{4}, "a", "wine"}};
  const Bm25Oracle oracle(documents, text::Analyzer::plain());
  const std::vector<Query> queries = {
      {"fever", "", {}}, {"knee knee", "", {}}, {"wine fever", "", {}}, {"cat", "", {}}};
  const auto hits = oracle.top(queries, 9);

  const double idf_two = std::log(1 + 1.5 / 2.5);  // a term of two documents
  const double idf_one = std::log(1 + 2.5 / 1.5);
  const double long_norm = 0.9 * (0.6 + 0.4 * 2);
  const double short_norm = 0.9 * (0.6 + 0.4 * 0.5);
  ASSERT_EQ(hits[0].size(), 2U);
  EXPECT_EQ(hits[0][0].candidate, CandidateId{1});
  EXPECT_NEAR(hits[0][0].score, idf_two * 2 / (2 + long_norm), 1e-15);
  EXPECT_NEAR(hits[0][1].score, idf_two * 1 / (1 + short_norm), 1e-15);
  ASSERT_EQ(hits[1].size(), 1U);
  EXPECT_NEAR(hits[1][0].score, idf_one * 2 / (1 + long_norm), 1e-15);
  ASSERT_EQ(hits[2].size(), 3U);
  EXPECT_EQ(hits[2][0].candidate, CandidateId{1});
  EXPECT_EQ(hits[2][1], (Hit{{4}, idf_two * (1 / (1 + short_norm)), 1})) << "equal scores: key a before key c";
  EXPECT_EQ(hits[2][2].candidate, CandidateId{2});
  EXPECT_TRUE(hits[3].empty());
}

}  // namespace
}  // namespace residue::index
