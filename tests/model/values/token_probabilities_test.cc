#include "model/values/token_probabilities.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace residue::model {
namespace {

using Json = nlohmann::json;

std::string reply(const std::vector<std::string>& tokens, const Json& logs, const Json& offsets = nullptr) {
  Json logprobs{{"tokens", tokens}, {"token_logprobs", logs}};
  if (!offsets.is_null()) logprobs["text_offset"] = offsets;
  return Json{{"choices", {{{"text", "x"}, {"logprobs", logprobs}}}}}.dump(-1, ' ', false,
                                                                           Json::error_handler_t::replace);
}

// "My name is Zebulon.": of three tokens the name has ln P = -2, -3 and -4, its probability is e^-9.
TEST(TokenProbabilities, MultiplyOverTheTokensOfAWord) {
  const std::string prompt = "\nMy name is Zebulon.";
  const auto read = read_probabilities(
      200, reply({"\n", "My", " name", " is", " Ze", "bul", "on.", " He"}, {nullptr, -1, -0.5, -0.25, -2, -3, -4, -9}),
      prompt);
  ASSERT_EQ(read.problem, "");
  ASSERT_EQ(read.tokens.size(), 7U) << "what is behind the prompt is not counted";
  EXPECT_EQ(read.tokens[4].begin, 11U);
  EXPECT_EQ(read.tokens[4].end, 14U);
  EXPECT_DOUBLE_EQ(probability_of(read.tokens, 12, 19).value(), std::exp(-9));
  EXPECT_DOUBLE_EQ(probability_of(read.tokens, 1, 3).value(), std::exp(-1));
  EXPECT_DOUBLE_EQ(probability_of(read.tokens, 4, 8).value(), std::exp(-0.5));
  EXPECT_FALSE(probability_of(read.tokens, 0, 3)) << "the first token has none";
  EXPECT_FALSE(probability_of(read.tokens, 25, 26)) << "nothing is there";
}

TEST(TokenProbabilities, MayBeginWithATokenOfTheServers) {
  const auto read = read_probabilities(200, reply({"<s>", "\n", "a"}, {nullptr, -1, -2}), "\na");
  EXPECT_EQ(read.problem, "");
  EXPECT_EQ(read.tokens.size(), 2U);
  EXPECT_DOUBLE_EQ(probability_of(read.tokens, 0, 2).value(), std::exp(-3));
}

// A character of four bytes in three tokens, spelled in two servers' ways.
TEST(TokenProbabilities, OfCutCharactersShareTheirPlace) {
  const std::string prompt = "a \xF0\x9F\x98\x80 b";
  for (const std::vector<std::string>& cut :
       {std::vector<std::string>{"bytes: \\xf0", "bytes:\\x9f", "bytes:\\x98\\x80"},
        std::vector<std::string>{" \xEF\xBF\xBD", "\xEF\xBF\xBD", "\xEF\xBF\xBD"}}) {
    const auto read = read_probabilities(
        200, reply({"a", cut[0], cut[1], cut[2], " b"}, {nullptr, -1, -2, -3, -4}, {0, 1, 2, 2, 3}), prompt);
    ASSERT_EQ(read.problem, "");
    ASSERT_EQ(read.tokens.size(), 5U);
    EXPECT_DOUBLE_EQ(probability_of(read.tokens, 2, 6).value(), std::exp(-6));
    EXPECT_DOUBLE_EQ(probability_of(read.tokens, 7, 8).value(), std::exp(-4));
    const auto last =
        read_probabilities(200, reply({"a", cut[0], cut[1], cut[2], "!"}, {nullptr, -1, -2, -3, -4}, {0, 1, 2, 2, 3}),
                           prompt.substr(0, 6));
    ASSERT_EQ(last.problem, "");
    EXPECT_DOUBLE_EQ(probability_of(last.tokens, 2, 6).value(), std::exp(-6));
  }
}

TEST(TokenProbabilities, RefuseWhatCannotBeRead) {
  const std::string prompt = "\nab cd";
  const auto problem = [&](int status, const std::string& body) {
    return read_probabilities(status, body, prompt).problem;
  };
  EXPECT_EQ(problem(200, reply({"\n", "ab", " cd"}, {nullptr, -1, -2})), "");
  EXPECT_EQ(problem(500, reply({"\n", "ab", " cd"}, {nullptr, -1, -2})), "HTTP 500");
  EXPECT_EQ(problem(200, "<html>"), "not JSON");
  EXPECT_EQ(problem(200, R"({"error":{}})"), "HTTP 200 with an error");
  EXPECT_EQ(problem(200, R"({"choices":[]})"), "no choices");
  EXPECT_EQ(problem(200, R"({"choices":[{"text":"x","logprobs":null}]})"), "no log-probabilities");
  EXPECT_EQ(problem(200, R"({"choices":[{"logprobs":{"content":[]}}]})"),
            "no log-probabilities of the prompt's tokens");
  EXPECT_EQ(problem(200, reply({"\n", "ab", " cd"}, {nullptr, -1})),
            "another number of log-probabilities than of tokens");
  EXPECT_EQ(problem(200, reply({"\n", "ab", " cd"}, {nullptr, 1, -2})), "no log-probability");
  EXPECT_EQ(problem(200, reply({"\n", "ab", " cd"}, {nullptr, "x", -2})), "no log-probability");
  EXPECT_EQ(problem(200, reply({" and"}, {-1})), "tokens that are not those of the text") << "no echo";
  EXPECT_EQ(problem(200, reply({"\n", "ab"}, {nullptr, -1})), "tokens that are not those of the text");
  EXPECT_EQ(problem(200, reply({"\n", "AB", " cd"}, {nullptr, -1, -2})), "tokens that are not those of the text");
}

TEST(TokenProbabilities, AreAskedForWithoutTheSettingsOfChats) {
  Asking asking;
  asking.model = "m";
  asking.temperature = 0.7;
  const std::string spec = probabilities_spec(asking);
  EXPECT_EQ(
      Json::parse(probabilities_body(asking, "a\n\"b\"")),
      Json::parse(R"({"model":"m","prompt":"a\n\"b\"","max_tokens":1,"echo":true,"logprobs":1,"temperature":0})"));
  asking.temperature = 0;
  EXPECT_EQ(probabilities_spec(asking), spec);
  asking.revision = "2";
  EXPECT_NE(probabilities_spec(asking), spec);
}

}  // namespace
}  // namespace residue::model
