#include "model/limits/read_whole.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "model/server/chat.h"
#include "model/server/embeddings.h"
#include "model/server/endpoint.h"

namespace residue::model {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Never more than tokenizers make of it: what is counted here was counted with those of GPT-4o, Llama 2, Gemma 3,
// Claude and Qwen 3.
TEST(LeastTokens, AreOneForEachWordBetweenSpaces) {
  struct Case {
    const char* what;
    std::string text;
    std::uint64_t least;
  };
  const Case cases[] = {{"nothing", "", 0},
                        {"spaces", " \n\t ", 0},
                        {"words", "Ann keeps bees.", 3},
                        {"lines", "Ann\nkeeps\tbees", 3},
                        {"signs alone", "- | -- | ***", 0},
                        {"a run of one letter", std::string(10'000, 'a'), 1},
                        {"a run of one sign", std::string(10'000, '='), 0},
                        {"a number", "31415926535897932384626433832795", 1},
                        {"code", "std::vector<int> v = {1,2,3};", 3},
                        {"an address", "https://a.example/b?c=d&e=f", 1},
                        {"Russian", "Аня держит пчёл.", 3},
                        {"Hindi", "सभी मनुष्यों को", 3},
                        {"Korean", "모든 인간은 태어날", 3},
                        {"Chinese: a token for four", repeated("人人生而自由", 20), 30},
                        {"Japanese", repeated("すべての人間は", 8), 14},
                        {"Thai", repeated("มนุษย์ทั้งหลาย", 8), 28},
                        {"Chinese between signs", "。。。。 ，", 2},
                        {"emoji", "😀😀😀😀 😀", 2},
                        {"no UTF-8", "\xE4\xBA \xFF\xFE", 2}};
  for (const Case& one : cases) EXPECT_EQ(least_tokens(one.text), one.least) << one.what;
}

TEST(LeastTokens, OfARequestAreThoseOfItsTexts) {
  const std::string user = "A \"quoted\" line\nand a \\ path: \"content\":\"no key\" \x01 人人生而自由人人";
  Asking asking;
  asking.model = "a model of many words";
  const std::string body = chat_body(asking, 0, "Rate the claims.", user, Json{{"type", "object"}});
  EXPECT_EQ(least_tokens_of(body), 3 + least_tokens(user));
  EXPECT_EQ(least_tokens_of(chat_body(asking, 0, "", user, Json{})), least_tokens(user));
  const std::vector<std::string> texts = {"one two", "three \"] four", ""};
  Embedding embedding;
  embedding.model = "m";
  EXPECT_EQ(least_tokens_of(embeddings_body(embedding, Side::kPassage, texts)), 4U);
  for (const char* broken :
       {"", "{}", R"({"content":")", R"({"content":"a\)", R"({"content":"\u00)", R"("input":["a)"}) {
    EXPECT_LE(least_tokens_of(broken), 1U) << broken;
  }
}

TEST(UnreadCount, IsWhatHasFewerTokensThanWords) {
  EXPECT_EQ(unread(2'000, 1'999), kUnread);
  EXPECT_EQ(unread(2'000, 2'000), "");
  EXPECT_EQ(unread(2'000, std::nullopt), "") << "nobody counted";
  for (const int none : {0, 1, 100, 127}) EXPECT_EQ(unread(2'000, none), "") << "no count of a whole prompt: " << none;
  EXPECT_EQ(unread(0, 500), "") << "not looked at";
}

TEST(UnreadCount, CountsWhatCameFromACache) {
  const auto read = [](const std::string& usage) {
    return read_chat(200, R"({"choices":[],"usage":)" + usage + "}").tokens_read;
  };
  EXPECT_EQ(read(R"({"prompt_tokens":900,"prompt_tokens_details":{"cached_tokens":800}})"), 900) << "in it";
  EXPECT_EQ(read(R"({"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":800}})"), 900) << "apart";
  EXPECT_EQ(read(R"({"prompt_tokens":100,"cache_read_input_tokens":700,"cache_creation_input_tokens":50})"), 850);
  EXPECT_EQ(read(R"({"completion_tokens":3})"), std::nullopt);
  EXPECT_EQ(read_chat(200, R"({"usage":{"prompt_tokens":100,"cache_read_input_tokens":700}})").tokens_in, 100);
}

class Growth : public ::testing::Test {
 protected:
  bool add(std::uint64_t least, std::int64_t counted) {
    suspect_.clear();
    PromptGrowth::Seen seen;
    seen.least = least;
    seen.counted = counted;
    return growth_.add(std::move(seen), suspect_);
  }
  PromptGrowth growth_;
  std::vector<PromptGrowth::Seen> suspect_;
};

TEST_F(Growth, FindsTheCountThatStopsGrowing) {
  EXPECT_FALSE(add(300, 700));
  EXPECT_FALSE(add(500, 1'024));
  EXPECT_FALSE(add(600, 1'024));
  EXPECT_FALSE(add(600, 1'024)) << "the same prompt again";
  EXPECT_FALSE(add(640, 1'024));
  EXPECT_TRUE(add(700, 1'024));
  EXPECT_EQ(suspect_.size(), 5U) << "the shortest as well";
  EXPECT_FALSE(add(400, 900));
  EXPECT_TRUE(add(650, 1'024));
  EXPECT_EQ(suspect_.size(), 1U) << "each is taken back once";
}

TEST_F(Growth, IsNotMisledByEqualPromptsChanceOrPlaceholders) {
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(add(500, 1'024));
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_FALSE(add(500 + i, 1'024)) << "about the same length";
  for (std::uint64_t i = 1; i < 100; ++i) EXPECT_FALSE(add(100 * i, 100)) << "a server that always says 100";
  EXPECT_FALSE(add(2'000, 4'000));
  EXPECT_FALSE(add(900, 1'024)) << "longer prompts were counted";
}

class OverCommands : public ::testing::Test {
 protected:
  static PromptGrowth::Seen seen(char vote, std::uint64_t least, std::int64_t counted, bool usable = true) {
    return {VoteKey(std::string(kDigestBytes, vote)), 1, least, counted, usable};
  }
  CutPrompts prompts_;
  std::vector<PromptGrowth::Seen> suspect_;
};

TEST_F(OverCommands, WhatEarlierOnesSawIsEvidence) {
  prompts_.remember({seen('a', 900, 1'300), seen('b', 1'000, 1'300, false)}, suspect_);
  EXPECT_FALSE(prompts_.add(seen('c', 1'100, 1'300), suspect_));
  EXPECT_TRUE(suspect_.empty());
  EXPECT_TRUE(prompts_.add(seen('d', 1'200, 1'300), suspect_));
  EXPECT_EQ(suspect_.size(), 3U) << "not the one that is of no use already";
  EXPECT_TRUE(prompts_.add(seen('e', 1'300, 1'300), suspect_));
  EXPECT_EQ(suspect_.size(), 4U) << "each once, though this command has seen enough by itself meanwhile";
}

TEST_F(OverCommands, AContextThatHasBecomeSmallerIsSeenByWhatThisOneCounts) {
  prompts_.remember({seen('z', 5'000, 8'000)}, suspect_);
  std::uint64_t least = 1'000;
  bool found = false;
  for (const char vote : {'a', 'b', 'c', 'd'}) found = prompts_.add(seen(vote, least += 200, 1'300), suspect_);
  EXPECT_TRUE(found);
  EXPECT_EQ(suspect_.size(), 4U);
}

TEST_F(OverCommands, AContextThatHasBecomeLargerEndsIt) {
  std::vector<PromptGrowth::Seen> earlier;
  for (const char vote : {'a', 'b', 'c', 'd'})
    earlier.push_back(seen(vote, 1'000 + 100U * static_cast<unsigned char>(vote), 1'300, false));
  prompts_.remember(earlier, suspect_);
  EXPECT_FALSE(prompts_.add(seen('e', 12'000, 1'900), suspect_));
  EXPECT_FALSE(prompts_.add(seen('f', 11'000, 1'300), suspect_));
  EXPECT_TRUE(suspect_.empty());
}

}  // namespace
}  // namespace residue::model
