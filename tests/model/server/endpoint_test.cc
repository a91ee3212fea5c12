#include "model/server/endpoint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/model/store_fixture.h"

namespace residue::model::testing {
namespace {

class Endpoints : public ModelStore {
 protected:
  void save(const Endpoint& endpoint) {
    const auto batch = store().write();
    save_endpoint(batch->db(), endpoint);
    batch->commit();
  }
  std::string key_file(const std::string& content, int mode) {
    const std::string path = (dir_ / "api-key").string();
    std::ofstream(path) << content;
    ::chmod(path.c_str(), static_cast<mode_t>(mode));
    return path;
  }
  static Code refused(const Transport& transport) {
    try {
      (void)load_api_key(transport);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("sk-"), std::string::npos);
      EXPECT_EQ(error.hint().find("sk-"), std::string::npos);
      return error.code();
    }
    return Code::kInternal;
  }
};

TEST_F(Endpoints, AreKeptReplacedAndForgotten) {
  Endpoint endpoint{"gpt", {}, {}, 3, true, {}};
  endpoint.asking.model = "m";
  endpoint.asking.temperature = 0.7;
  endpoint.asking.revision = "r";
  endpoint.asking.max_completion_tokens = 4'000;
  endpoint.asking.random_seed = true;
  endpoint.asking.body = {{"a", R"({"b":1})"}, {"c", "2"}};
  endpoint.transport = {"https://x.example/v1", 4,         "",          "KEY", 2.5, 10, 60, 4'096, 32'000, 9'000, true,
                        "api-version=1",        "api-key", "http://p:1"};
  save(endpoint);
  const Endpoint found = find_endpoint(store().db(), "gpt");
  EXPECT_EQ(found.asking, endpoint.asking);
  EXPECT_EQ(found.transport, endpoint.transport);
  EXPECT_EQ(found.votes, 3U);
  EXPECT_TRUE(found.transport.counts_prompts);
  EXPECT_TRUE(found.canaries);
  EXPECT_EQ(found.claims_per_request, 1U);
  EXPECT_EQ(found.instructions, std::nullopt);
  endpoint.votes = 1;
  endpoint.asking.max_completion_tokens = 9;
  endpoint.transport.output_limit = 32'000;
  endpoint.transport.context = 128'000;
  endpoint.transport.longest_prompt = 90'000;
  endpoint.transport.counts_prompts = false;
  endpoint.canaries = false;
  endpoint.claims_per_request = 10;
  endpoint.instructions = "Rate {passage} {claims}.";
  save(endpoint);
  EXPECT_EQ(list_endpoints(store().db()).size(), 1U);
  EXPECT_EQ(find_endpoint(store().db(), "gpt").transport, endpoint.transport);
  EXPECT_EQ(find_endpoint(store().db(), "gpt").asking, endpoint.asking);
  EXPECT_EQ(find_endpoint(store().db(), "gpt").votes, 1U);
  EXPECT_FALSE(find_endpoint(store().db(), "gpt").canaries);
  EXPECT_EQ(find_endpoint(store().db(), "gpt").claims_per_request, 10U);
  EXPECT_EQ(find_endpoint(store().db(), "gpt").instructions, endpoint.instructions);
  EXPECT_THROW(find_endpoint(store().db(), "gtp"), Error);
  EXPECT_TRUE(remove_endpoint(store().db(), "gpt"));
  EXPECT_FALSE(remove_endpoint(store().db(), "gpt"));
}

TEST_F(Endpoints, OfOlderVersionsAreRead) {
  Endpoint endpoint;
  endpoint.name = "old";
  endpoint.transport.url = "https://x.example/v1";
  save(endpoint);
  store().db().run(
      "UPDATE model SET transport = json_remove(transport, '$.output_limit', '$.context', '$.longest_prompt', "
      "'$.counts_prompts')");
  EXPECT_EQ(find_endpoint(store().db(), "old").transport, endpoint.transport);
}

TEST(Asking, IsSpeltAsBeforeWhereWhatCameLaterIsUnset) {
  Asking asking;
  asking.model = "m";
  asking.max_tokens = 7;
  EXPECT_EQ(asking_json(asking),
            R"({"answer":"json_schema","frequency_penalty":null,"max_tokens":7,"model":"m","presence_penalty":null,)"
            R"("reasoning_effort":null,"revision":null,"seed":null,"temperature":null,"top_p":null})");
  EXPECT_EQ(answer_limit(asking), 7);
  asking.max_completion_tokens = 9;
  EXPECT_EQ(asking_of(asking_json(asking)), asking);
  EXPECT_EQ(answer_limit(asking), 9);
}

TEST_F(Endpoints, ThatMakeVectorsAreKeptAsSuch) {
  Endpoint endpoint;
  endpoint.name = "emb";
  endpoint.embedding = Embedding{"m", "r", 3, "q: ", "p: "};
  endpoint.transport.url = "https://x.example/v1";
  save(endpoint);
  const Endpoint found = find_endpoint(store().db(), "emb");
  EXPECT_EQ(found.embedding, endpoint.embedding);
  EXPECT_EQ(found.asking.model, "m");
  EXPECT_EQ(require_embedding(found).dimensions, 3);
  EXPECT_THROW(require_chat(found), Error);
  Endpoint chat;
  chat.name = "emb";
  save(chat);
  EXPECT_FALSE(find_endpoint(store().db(), "emb").embedding);
  EXPECT_NO_THROW(require_chat(find_endpoint(store().db(), "emb")));
  EXPECT_THROW(require_embedding(chat), Error);
}

TEST_F(Endpoints, OfOneLabelOnTwoServersAreNoticed) {
  Endpoint one{"one", {}, {}, 1, false, "Rate {passage} {claims}."};
  one.asking.model = "m";
  one.transport.url = "https://a.example/v1";
  Endpoint two = one;
  two.name = "two";
  two.transport.url = "https://b.example/v1";
  save(one);
  EXPECT_EQ(same_label_elsewhere(store().db(), two), (std::vector<std::string>{"one"}));
  two.asking.revision = "b";
  EXPECT_TRUE(same_label_elsewhere(store().db(), two).empty());
  two.asking.revision.reset();
  two.transport.url = one.transport.url;
  EXPECT_TRUE(same_label_elsewhere(store().db(), two).empty());
}

TEST_F(Endpoints, GetTheirKeyFromWhereNobodyElseReadsIt) {
  Transport transport;
  EXPECT_EQ(load_api_key(transport), "");
  transport.key_file = key_file("sk-1\n", 0600);
  EXPECT_EQ(load_api_key(transport), "sk-1");
  transport.key_file = key_file("sk-1", 0640);
  EXPECT_EQ(refused(transport), Code::kUsage);
  transport.key_file = key_file("sk-1\r\nX-Header: sk-2", 0600);
  EXPECT_EQ(refused(transport), Code::kUsage);
  transport.key_file = key_file("\n", 0600);
  EXPECT_EQ(refused(transport), Code::kUsage);
  transport.key_file = (dir_ / "nowhere").string();
  EXPECT_EQ(refused(transport), Code::kNotFound);
  transport = {};
  transport.key_env = "RESIDUE_TEST_KEY";
  ::unsetenv("RESIDUE_TEST_KEY");
  EXPECT_EQ(refused(transport), Code::kNotFound);
  ::setenv("RESIDUE_TEST_KEY", "sk-3", 1);
  EXPECT_EQ(load_api_key(transport), "sk-3");
  ::unsetenv("RESIDUE_TEST_KEY");
}

}  // namespace
}  // namespace residue::model::testing
