// Vectors by a server that misbehaves: each text gets one checked vector or the run stops, and none is asked for twice.
#include "model/values/embedder.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "storage/vectors.h"
#include "tests/model/store_fixture.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

class Embedder : public ModelStore {
 protected:
  Embedder() {
    endpoint_.name = "emb";
    endpoint_.asking.model = "m";
    endpoint_.embedding = Embedding{"m", std::nullopt, std::nullopt, "", ""};
    endpoint_.transport.timeout_s = 5;
    endpoint_.transport.concurrency = 2;
    session_.options.retry.base = Millis(1);
    session_.options.retry.cap = Millis(5);
  }
  std::vector<TextId> put(std::size_t count, const std::string& word = "bees") {
    std::vector<TextId> ids;
    const auto batch = store().write();
    for (std::size_t i = 0; i < count; ++i) {
      ids.push_back(batch->put_text(word + " " + std::to_string(i), storage::PrivacyClass::kOriginal));
    }
    batch->commit();
    return ids;
  }
  EmbedCounts run(stub::Server& server, const std::vector<TextId>& texts, Side side = Side::kPassage) {
    endpoint_.transport.url = server.url();
    claim_embedder(store(), endpoint_);
    return embed(store(), endpoint_, "d", side, texts, session_);
  }
  std::vector<float> vector_of(TextId text, const std::string& embedder = "emb") {
    return storage::load_vectors(store().db(), *store().facts().read(), storage::find_embedder(store().db(), embedder),
                                 std::span(&text, 1));
  }
  // The message of the Error{io} that stops it.
  std::string stopped(stub::Server& server, const std::vector<TextId>& texts) {
    try {
      run(server, texts);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kIo) << error.what();
      EXPECT_EQ(std::string(error.what() + error.hint()).find("bees"), std::string::npos);
      return error.what();
    }
    return "";
  }

  Endpoint endpoint_;
  AskSession session_;
};

TEST_F(Embedder, GivesEachTextOneVectorAndAsksForNoneAgain) {
  stub::Server server;
  std::vector<TextId> texts = put(100);
  texts.push_back(texts[3]);
  texts.push_back(TextId{0});
  {
    const auto batch = store().write();
    texts.push_back(batch->put_text("", storage::PrivacyClass::kOriginal));
    batch->commit();
  }
  const EmbedCounts counts = run(server, texts);
  EXPECT_EQ(counts.texts, 100U);
  EXPECT_EQ(counts.embedded, 100U);
  EXPECT_EQ(session_.counts.requests, 4U);
  EXPECT_NE(server.last_headers().find("POST /v1/embeddings"), std::string::npos);
  EXPECT_EQ(number("SELECT count(*) FROM vector"), 100);
  EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'saved' AND tokens_in = 100"), 4);
  std::size_t raw = 0;
  store().facts().read()->each_answer([&](const storage::SavedAnswer&) { ++raw; });
  EXPECT_EQ(raw, 0U) << "vectors are not kept twice";
  EXPECT_NE(vector_of(texts[0]), vector_of(texts[1]));
  EXPECT_EQ(run(server, texts).known, 100U);
  EXPECT_EQ(server.requests(), 4U);
  for (const TextId more : put(3, "wasps")) texts.push_back(more);
  EXPECT_EQ(run(server, texts).embedded, 3U);
  EXPECT_EQ(server.requests(), 5U);
}

TEST_F(Embedder, CutsRequestsByBytes) {
  stub::Server server;
  EXPECT_EQ(run(server, put(5, std::string(kBytesPerRequest / 2 - 10, 'x'))).embedded, 5U);
  EXPECT_EQ(server.requests(), 3U);
  EXPECT_EQ(run(server, put(2, std::string(kBytesPerRequest + 10, 'y'))).embedded, 2U);
  EXPECT_EQ(server.requests(), 5U);
}

TEST_F(Embedder, GivesTheSameVectorsWhateverTheFormOfTheReply) {
  std::vector<float> plain;
  for (const char* behaviour : {"ok", "base64", "shuffled", "chunked"}) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    endpoint_.name = std::string("emb-") + behaviour;
    const std::vector<TextId> texts = put(10);
    EXPECT_EQ(run(server, texts).embedded, 10U);
    if (plain.empty()) plain = vector_of(texts[7], endpoint_.name);
    EXPECT_EQ(vector_of(texts[7], endpoint_.name), plain);
  }
}

TEST_F(Embedder, RetriesAnUnusableReplyThenStopsAndSaysWhy) {
  struct Case {
    const char* behaviour;
    const char* reason;
  };
  const Case cases[] = {{"fewer-vectors", "9 vectors for 10 texts"},
                        {"nan", "a value that is not finite"},
                        {"infinite", "a value that is not finite"},
                        {"zero-vector", "a vector without a direction"},
                        {"index-twice", "an index that is there twice"},
                        {"no-index", "a vector without its index"},
                        {"word-vector", "a vector that is no list of numbers"},
                        {"truncated-json", "the reply is not JSON"},
                        {"error200", "a success with an error in it"}};
  const std::vector<TextId> texts = put(10);
  std::int64_t invalid = 0;
  for (const Case& one : cases) {
    SCOPED_TRACE(one.behaviour);
    stub::Server server(one.behaviour);
    EXPECT_NE(stopped(server, texts).find(one.reason), std::string::npos);
    EXPECT_EQ(server.requests(), 3U);
    invalid += 3;
    EXPECT_EQ(number("SELECT count(*) FROM attempt WHERE state = 'invalid'"), invalid);
    EXPECT_EQ(number("SELECT count(*) FROM vector"), 0);
  }
  // The server is mended: the same command goes on.
  stub::Server server;
  server.script({"nan", "fewer-vectors"});
  EXPECT_EQ(run(server, texts).embedded, 10U);
  EXPECT_EQ(server.requests(), 3U);
}

TEST_F(Embedder, RepeatsNoWordOfTheTextsWhereItIsRefused) {
  const std::vector<TextId> texts = put(10);
  for (const char* behaviour : {"400", "401", "404", "429-quota"}) {
    SCOPED_TRACE(behaviour);
    stub::Server server(behaviour);
    EXPECT_NE(stopped(server, texts).find("HTTP"), std::string::npos);
  }
}

TEST_F(Embedder, RefusesAnotherDimensionThanTheFirst) {
  stub::Server server;
  run(server, put(2));
  server.always("wrong-dimension");
  EXPECT_NE(stopped(server, put(2, "wasps")).find("9 dimensions where 8 are expected"), std::string::npos);
  endpoint_.name = "asked";
  endpoint_.embedding->dimensions = 4;
  EXPECT_NE(stopped(server, put(2)).find("5 dimensions where 4 are expected"), std::string::npos);
  server.always("ok");
  EXPECT_EQ(run(server, put(2)).embedded, 2U);
  EXPECT_EQ(storage::find_embedder(store().db(), "asked").dimension, 4U);
}

TEST_F(Embedder, KeepsWhatWasEmbeddedWhenItStops) {
  stub::Server server;
  session_.budget.max_calls = 2;
  const std::vector<TextId> texts = put(100);
  EXPECT_THROW(run(server, texts), Error);
  EXPECT_EQ(number("SELECT count(*) FROM vector"), 64);
  session_.budget = {};
  EXPECT_EQ(run(server, texts).embedded, 36U);
  EXPECT_EQ(server.requests(), 4U);
}

TEST_F(Embedder, KeepsQueriesApartWhereTheirPrefixDiffers) {
  stub::Server server;
  endpoint_.embedding->query_prefix = "find this ";
  const std::vector<TextId> texts = put(2);
  EXPECT_EQ(run(server, texts, Side::kPassage).embedded, 2U);
  EXPECT_EQ(run(server, texts, Side::kQuery).embedded, 2U);
  EXPECT_NE(vector_of(texts[0]), vector_of(texts[0], "emb/query"));
  EXPECT_EQ(storage::embedder_of_queries(store().db(), "emb"), "emb/query");
  EXPECT_EQ(storage::embedder_of_queries(store().db(), "other"), "other");
  server.always("wrong-dimension");
  EXPECT_THROW(run(server, put(1, "wasps"), Side::kQuery), Error);
}

TEST_F(Embedder, MixesNoSettingsAndNoFiles) {
  stub::Server server;
  const std::vector<TextId> texts = put(1);
  claim_embedder(store(), endpoint_);
  endpoint_.embedding->revision = "r";  // nothing was embedded yet
  run(server, texts);
  const Embedding kept = *endpoint_.embedding;
  for (int i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    endpoint_.embedding = kept;
    if (i == 0) endpoint_.embedding->model = "other";
    if (i == 1) endpoint_.embedding->revision.reset();
    if (i == 2) endpoint_.embedding->dimensions = 8;
    if (i == 3) endpoint_.embedding->query_prefix = "q";
    if (i == 4) endpoint_.embedding->passage_prefix = "p";
    EXPECT_THROW(run(server, texts), Error);
  }
  endpoint_.embedding = kept;
  endpoint_.transport.price_in = 1;  // how it is had does not matter
  EXPECT_EQ(run(server, texts).known, 1U);
  {
    const auto batch = store().write();
    storage::VectorWriter writer(batch->db(), "file");
    writer.begin();
    const std::vector<float> values = {1, 2};
    writer.put(*batch, texts[0], values);
    writer.end();
    batch->commit();
  }
  endpoint_.name = "file";
  EXPECT_THROW(run(server, texts), Error);
  Endpoint chat;
  chat.name = "chat";
  EXPECT_THROW(claim_embedder(store(), chat), Error);
}

}  // namespace
}  // namespace residue::model::testing
