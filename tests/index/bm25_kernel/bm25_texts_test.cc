#include "index/bm25_kernel/bm25_texts.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/index/bm25/bm25_oracle.h"

namespace residue::index {
namespace {

std::vector<std::string> drawn(std::size_t count, std::size_t longest, unsigned seed) {
  const std::vector<std::string> words = {"river", "stones", "cloud", "the", "Ann's", "42", "running", "ran", "gout"};
  std::mt19937 random(seed);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::size_t n = random() % (longest + 1); n > 0; --n) text += words[random() % words.size()] + " ";
    texts.push_back(text);
  }
  return texts;
}

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

TEST(Bm25Texts, AreTheirDefinition) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    const auto texts = drawn(300, 12, seed), queries = drawn(60, 4, seed + 100);
    std::vector<std::string> keys;  // in the order of the texts
    std::vector<Bm25Oracle::Document> documents;
    for (std::size_t i = 0; i < texts.size(); ++i) keys.push_back(std::to_string(1000 + i));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      documents.push_back({CandidateId{static_cast<std::int64_t>(i) + 1}, keys[i], texts[i]});
    }
    const Bm25Oracle oracle(documents, text::Analyzer::fsp());
    std::vector<Query> asked;
    for (const std::string& query : queries) asked.push_back({query, "", {}});
    const auto expected = oracle.top(asked, 7);
    Bm25Texts index(views(texts), text::Analyzer::fsp());
    const auto found = index.top(views(queries), 7);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t q = 0; q < found.size(); ++q) {
      ASSERT_EQ(found[q].size(), expected[q].size()) << q;
      for (std::size_t i = 0; i < found[q].size(); ++i) {
        EXPECT_EQ(found[q][i].rank + 1, expected[q][i].candidate.value);
        EXPECT_EQ(found[q][i].score, expected[q][i].score);  // to the last bit
        EXPECT_EQ(found[q][i].tied, expected[q][i].tied);
      }
    }
  }
}

TEST(Bm25Texts, OfNothingAreNoHits) {
  const std::vector<std::string> none, blank = {"", "the"}, query = {"river"};
  EXPECT_TRUE(Bm25Texts(views(none), text::Analyzer::fsp()).top(views(query), 3).at(0).empty());
  EXPECT_TRUE(Bm25Texts(views(blank), text::Analyzer::fsp()).top(views(query), 3).at(0).empty());
  EXPECT_TRUE(Bm25Texts(views(query), text::Analyzer::fsp()).top(views(none), 3).empty());
}

}  // namespace
}  // namespace residue::index
