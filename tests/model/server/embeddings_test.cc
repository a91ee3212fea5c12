#include "model/server/embeddings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace residue::model {
namespace {

std::string reply(const std::string& data) { return R"({"data":)" + data + R"(,"usage":{"prompt_tokens":7}})"; }

TEST(ReadEmbeddings, PutsVectorsInTheOrderOfTheirTexts) {
  const EmbeddingsReply read =
      read_embeddings(200, reply(R"([{"index":1,"embedding":[0,2]},{"index":0,"embedding":[1,-0.5]}])"), 2, 0);
  EXPECT_EQ(read.problem, "");
  EXPECT_EQ(read.vectors, (std::vector<std::vector<float>>{{1, -0.5F}, {0, 2}}));
  EXPECT_EQ(read.tokens, 7);
}

TEST(ReadEmbeddings, ReadsBase64) {
  // 1.0F, -2.0F, 0.5F
  const EmbeddingsReply read = read_embeddings(200, reply(R"([{"index":0,"embedding":"AACAPwAAAMAAAAA/"}])"), 1, 3);
  EXPECT_EQ(read.vectors, (std::vector<std::vector<float>>{{1, -2, 0.5F}}));
  // With padding: 1.0F.
  EXPECT_EQ(read_embeddings(200, reply(R"([{"index":0,"embedding":"AACAPw=="}])"), 1, 0).vectors,
            (std::vector<std::vector<float>>{{1}}));
}

TEST(ReadEmbeddings, TakesWholeAnswersOnly) {
  struct Case {
    int status;
    std::string body;
    const char* problem;
  };
  const std::string good = R"({"index":0,"embedding":[1,2]})";
  const Case cases[] = {
      {200, reply("[" + good + "]"), "1 vectors for 2 texts"},
      {200, reply("[" + good + "," + good + "]"), "an index that is there twice"},
      {200, reply("[" + good + R"(,{"index":2,"embedding":[1,2]}])"), "an index that is none of the texts'"},
      {200, reply("[" + good + R"(,{"index":-1,"embedding":[1,2]}])"), "an index that is none of the texts'"},
      {200, reply("[" + good + R"(,{"embedding":[1,2]}])"), "a vector without its index"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":[1]}])"), "1 dimensions where 2 are expected"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":[]}])"), "a vector that is no list of numbers"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":[1,null]}])"), "a vector that is no list of numbers"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":[1,"2"]}])"), "a vector that is no list of numbers"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":"AAC*Pw=="}])"), "a vector that is no list of numbers"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":"AACAP"}])"), "a vector that is no list of numbers"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":"AADAfwAAAAA="}])"), "a value that is not finite"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":[1,1e300]}])"), "a value that is not finite"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":[1,NaN]}])"), "a value that is not finite"},
      {200, reply("[" + good + R"(,{"index":1,"embedding":[0,1e-60]}])"), "a vector without a direction"},
      {200, R"({"data":[],)" + reply("[" + good + "]").substr(1), "a key is given twice in the reply"},
      {200, R"({"data":3})", "no list of vectors"},
      {200, R"({"object":"list"})", "no list of vectors"},
      {200, R"({"error":{"message":"x"}})", "a success with an error in it"},
      {200, "", "the reply is not JSON"},
      {200, "[1]", "the reply is not JSON"},
      {500, reply("[" + good + "," + good + "]"), "not a success"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.body);
    const EmbeddingsReply read = read_embeddings(one.status, one.body, 2, 0);
    EXPECT_EQ(read.problem, one.problem);
    EXPECT_TRUE(read.vectors.empty());
  }
  EXPECT_EQ(read_embeddings(200, reply("[" + good + "]"), 1, 3).problem, "2 dimensions where 3 are expected");
}

TEST(EmbeddingsBody, PutsThePrefixOfItsSideBeforeEachText) {
  const std::vector<std::string> texts = {"a", "b"};
  Embedding embedding{"m", std::nullopt, std::nullopt, "query: ", "passage: "};
  EXPECT_EQ(nlohmann::json::parse(embeddings_body(embedding, Side::kQuery, texts)),
            nlohmann::json::parse(R"({"model":"m","encoding_format":"float","input":["query: a","query: b"]})"));
  embedding.dimensions = 5;
  EXPECT_EQ(nlohmann::json::parse(embeddings_body(embedding, Side::kPassage, texts))["dimensions"], 5);
  EXPECT_EQ(nlohmann::json::parse(embeddings_body(embedding, Side::kPassage, texts))["input"][1], "passage: b");
}

TEST(EmbeddingSpec, HoldsAllThatAVectorDependsOn) {
  const Embedding plain{"m", std::nullopt, std::nullopt, "q", "p"};
  EXPECT_NE(embedding_spec(plain, Side::kQuery), embedding_spec(plain, Side::kPassage));
  Embedding other = plain;
  other.query_prefix = "p";
  EXPECT_EQ(embedding_spec(other, Side::kQuery), embedding_spec(plain, Side::kPassage));
  other = plain;
  other.revision = "r";
  EXPECT_NE(embedding_spec(other, Side::kQuery), embedding_spec(plain, Side::kQuery));
  other = plain;
  other.dimensions = 3;
  EXPECT_NE(embedding_spec(other, Side::kQuery), embedding_spec(plain, Side::kQuery));
  other = plain;
  other.model = "n";
  EXPECT_NE(embedding_spec(other, Side::kQuery), embedding_spec(plain, Side::kQuery));
}

}  // namespace
}  // namespace residue::model
