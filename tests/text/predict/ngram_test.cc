#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/predict/ngram_generator.h"
#include "text/predict/ngram_tokens.h"
#include "text/predict/ngram_trie.h"

namespace residue::text {
namespace {

std::vector<std::string> spelled(TokenTable& table, std::string_view text) {
  std::vector<std::string> out;
  for (const TokenId token : table.read(text)) out.push_back(table.spelling(token));
  return out;
}

TEST(NgramTokens, KeepWhatStandsBeforeThem) {
  TokenTable table;
  EXPECT_EQ(spelled(table, " A man,\n  37.7°C (old)"),
            (std::vector<std::string>{"", " A", " man", ",", "\n37.7", "°", "C", " (", "old", ")", ""}));
  const auto tokens = table.read("A man A");
  EXPECT_EQ(tokens, (std::vector<TokenId>{TokenTable::kStart, tokens[1], tokens[2], tokens[1], TokenTable::kEnd}))
      << "the first token is one behind a space";
  EXPECT_EQ(spelled(table, ""), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(spelled(table, " \n"), (std::vector<std::string>{"", ""}));
}

TEST(NgramTokens, JoinToTheTextWithItsSpacesMended) {
  TokenTable table;
  for (const auto& [text, joined] : std::vector<std::pair<const char*, const char*>>{
           {"A man, old.", "A man, old."},
           {"  two\t spaces\n\n and lines \n", "two spaces\nand lines"},
           {"état: 37.7°C — \xF0\x9F\x98\x80!", "état: 37.7°C — \xF0\x9F\x98\x80!"}}) {
    EXPECT_EQ(table.join(table.read(text)), joined);
  }
}

// "a b" and "a b a": counts of all sequences by hand.
TEST(NgramTrie, CountsEverySequence) {
  TokenTable table;
  NgramTrie trie(2);
  trie.count_all(1, table.read("a b"), 2);
  trie.count_all(1, table.read("a b a"), 2);
  const TokenId a = table.read("a")[1], b = table.read("b")[1], s = TokenTable::kStart, e = TokenTable::kEnd;
  const auto count = [&](std::vector<TokenId> tokens) {
    const auto node = trie.find(1, tokens);
    return node == NgramTrie::kNone ? 0 : trie.count(node);
  };
  EXPECT_EQ(trie.count(1), 2);
  EXPECT_EQ(trie.count(0), 0);
  EXPECT_EQ(count({a}), 3);
  EXPECT_EQ(count({b}), 2);
  EXPECT_EQ(count({e}), 2);
  EXPECT_EQ(count({s}), 2);
  EXPECT_EQ(count({s, a}), 2);
  EXPECT_EQ(count({a, b}), 2);
  EXPECT_EQ(count({b, a}), 1);
  EXPECT_EQ(count({b, e}), 1);
  EXPECT_EQ(count({a, e}), 1);
  EXPECT_EQ(count({a, b, a}), 0) << "two tokens at most";
  EXPECT_EQ(trie.find(0, std::vector<TokenId>{a}), NgramTrie::kNone) << "another code";
}

class Generator : public testing::Test {
 protected:
  void train(const std::vector<std::pair<NgramTrie::Node, std::string>>& texts, std::size_t codes = 1,
             std::size_t order = 2) {
    trie_ = NgramTrie(codes);
    drawing_.order = order;
    codes_ = codes;
    for (const auto& [code, text] : texts) trie_.count_all(code, table_.read(text), order);
  }
  std::map<std::string, int> drawn(int times, std::size_t code = 0) {
    const NgramGenerator generator(table_, trie_, codes_, drawing_);
    std::map<std::string, int> out;
    for (int seed = 0; seed < times; ++seed)
      ++out[generator.text(code, static_cast<std::uint64_t>(seed)).value_or("?")];
    return out;
  }
  TokenTable table_;
  NgramTrie trie_{1};
  Drawing drawing_;
  std::size_t codes_ = 1;
};

// Behind "a": b twice in three, c once; behind both the end.
TEST_F(Generator, DrawsByRelativeFrequency) {
  train({{0, "a b"}, {0, "a b"}, {0, "a c"}});
  const auto texts = drawn(3000);
  EXPECT_EQ(texts.size(), 2U);
  EXPECT_NEAR(texts.at("a b"), 2000, 4 * 26);  // four standard deviations
  EXPECT_EQ(drawn(100), drawn(100));
  drawing_.top = 1;
  EXPECT_EQ(drawn(50), (std::map<std::string, int>{{"a b", 50}}));
  drawing_.top = 0;
  drawing_.temperature = 0.5;  // 4 : 1
  EXPECT_NEAR(drawn(3000).at("a b"), 2400, 4 * 22);
  drawing_.temperature = 100;
  EXPECT_NEAR(drawn(3000).at("a b"), 1500, 4 * 28);
}

// "a" was counted 4 times and "a b" once: three times in four the next token is drawn behind nothing, where b and the
// end are equally frequent and "a" four times as much.
TEST_F(Generator, GivesWhatIsMissingToTheShorterContext) {
  TokenTable& t = table_;
  const TokenId a = t.read("a")[1], b = t.read("b")[1];
  drawing_ = {2, 2, 1, 0};
  trie_.add(0, 4);
  const auto start = trie_.add(0, TokenTable::kStart, 4);
  trie_.add(start, a, 4);
  const auto at = trie_.add(0, a, 4);
  trie_.add(0, b, 1);
  trie_.add(0, TokenTable::kEnd, 1);
  trie_.add(at, b, 1);
  const auto texts = drawn(4000);
  EXPECT_NEAR(texts.at("a b"), 4000 * (0.25 + 0.75 / 6), 4 * 31);
  EXPECT_NEAR(texts.at("a a"), 4000 * 0.75 * 4 / 6, 4 * 32);
  EXPECT_NEAR(texts.at("a"), 4000 * 0.75 / 6, 4 * 21);
  EXPECT_EQ(texts.size(), 3U);
}

TEST_F(Generator, KeepsCodesApartAndFallsBackToAllOfThem) {
  train({{0, "a b"}, {1, "c d"}}, 3);
  EXPECT_EQ(drawn(20, 0), (std::map<std::string, int>{{"a b", 20}}));
  EXPECT_EQ(drawn(20, 1), (std::map<std::string, int>{{"c d", 20}}));
  const auto any = drawn(200, 2);
  EXPECT_EQ(any.size(), 2U);
  EXPECT_NEAR(any.at("a b"), 100, 4 * 7);
}

TEST_F(Generator, EndsAtTheLengthAndNeverBeforeSomethingIsVisible) {
  train({{0, "a a a a a a a a a a a a a a a a"}}, 1, 1);
  drawing_.length = 3;
  for (const auto& [text, times] : drawn(200)) EXPECT_LE(text.size(), 5U) << text;
  EXPECT_FALSE(drawn(200).contains(""));
  train({{0, "\xE2\x80\x8B\xE2\x80\x8B"}});  // zero-width spaces
  EXPECT_EQ(drawn(3), (std::map<std::string, int>{{"?", 3}}));
  EXPECT_FALSE(NgramGenerator(table_, NgramTrie(2), 2, drawing_).any());
}

// Ids and the order of counting are of no consequence.
TEST_F(Generator, DependsOnTheSetOfTexts) {
  train({{0, "b c"}, {0, "a b"}, {0, "a c b"}});
  const auto texts = drawn(100);
  table_ = {};
  train({{0, "a c b"}, {0, "b c"}, {0, "a b"}});
  EXPECT_EQ(drawn(100), texts);
  EXPECT_GT(texts.size(), 3U);
}

}  // namespace
}  // namespace residue::text
