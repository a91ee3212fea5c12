// model add, model rm: defaults, presets, and what cannot be.
#include "verbs/models/add_model.h"

#include <functional>
#include <string>
#include <vector>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

using AddModel = AskingStore;

ModelOptions given() {
  ModelOptions options;
  options.endpoint.name = "far";
  options.endpoint.asking.model = "m-1";
  options.endpoint.transport.url = "https://models.example.org/v1/chat/completions";
  return options;
}

TEST(ModelOptions, AreCompletedWithDefaults) {
  ModelOptions options = given();
  options.endpoint.votes = 1;
  model::Endpoint endpoint = endpoint_of(options);
  EXPECT_EQ(endpoint.transport.url, "https://models.example.org/v1");
  EXPECT_EQ(endpoint.asking.temperature, 0.0);
  EXPECT_EQ(endpoint.asking.seed, 0);
  EXPECT_EQ(endpoint.asking.max_tokens, 1024);
  EXPECT_FALSE(endpoint.asking.top_p);
  options.endpoint.votes = 5;
  options.endpoint.claims_per_request = 10;
  options.seed = {true, std::nullopt};
  endpoint = endpoint_of(options);
  EXPECT_EQ(endpoint.asking.temperature, 0.7) << "votes that cannot differ would tell nothing";
  EXPECT_EQ(endpoint.asking.max_tokens, 2560);
  EXPECT_FALSE(endpoint.asking.seed) << "the server decides";
  options.endpoint.embedding.emplace().query_prefix = "query: ";
  EXPECT_EQ(endpoint_of(options).embedding->model, "m-1");
}

TEST(ModelOptions, GoBeforeTheirPreset) {
  ModelOptions options = given();
  options.endpoint.transport.url.clear();
  options.preset = "openai-reasoning";
  model::Endpoint endpoint = endpoint_of(options);
  EXPECT_EQ(endpoint.transport.url, "https://api.openai.com/v1");
  EXPECT_FALSE(endpoint.asking.max_tokens);
  EXPECT_TRUE(endpoint.asking.max_completion_tokens);
  options.max_completion_tokens = {true, std::nullopt};
  options.key_header = "api-key";
  endpoint = endpoint_of(options);
  EXPECT_FALSE(endpoint.asking.max_completion_tokens);
  EXPECT_EQ(endpoint.transport.key_header, "api-key");
}

TEST(ModelOptions, AreRefusedWhereTheyCannotBe) {
  struct Case {
    std::function<void(ModelOptions&)> change;
    const char* says;
  };
  const Case cases[] = {
      {[](ModelOptions& o) { o.endpoint.name = "lexical"; }, "lexical is the name of an embedded judge"},
      {[](ModelOptions& o) { o.endpoint.asking.model = ""; }, "--model is empty"},
      {[](ModelOptions& o) { o.endpoint.asking.revision = "\xff"; }, "--revision: not UTF-8"},
      {[](ModelOptions& o) {
         o.temperature = {true, 2.5};
       },
       "--temperature: out of range"},
      {[](ModelOptions& o) {
         o.seed = {true, -1};
       },
       "--seed: out of range"},
      {[](ModelOptions& o) {
         o.max_tokens = {true, kMostTokens + 1};
       },
       "--max-tokens: out of range"},
      {[](ModelOptions& o) {
         o.max_tokens = o.max_completion_tokens = {true, 10};
       },
       "--max-tokens and --max-completion-tokens are two names of one limit"},
      {[](ModelOptions& o) { o.endpoint.transport.concurrency = 0; }, "--concurrency: out of range"},
      {[](ModelOptions& o) {
         o.body = {{"x", "1"}, {"x", "2"}};
       },
       "--body: x is given twice"},
      {[](ModelOptions& o) { o.endpoint.transport.url = ""; }, "--url is missing"},
      {[](ModelOptions& o) { o.endpoint.transport.key_env = "sk-1"; }, "--api-key-env: not the name of a variable"},
      {[](ModelOptions& o) {
         o.preset = "openai-reasoning";
         o.temperature = {true, 0.5};
       },
       "openai-reasoning does not take --temperature"},
      {[](ModelOptions& o) {
         o.endpoint.transport.url = "http://localhost:1";
         o.endpoint.transport.proxy = "http://proxy.example.org:3128";
       },
       "--proxy: a server on this machine needs none"},
      {[](ModelOptions& o) {
         o.endpoint.transport.context = 100;
         o.endpoint.transport.output_limit = 200;
       },
       "--context: 100 tokens for prompt and answer together, fewer than the 200 of --output-limit"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.says);
    ModelOptions options = given();
    one.change(options);
    EXPECT_EQ(ended_with([&] { endpoint_of(options); }), (std::pair<int, std::string>{2, one.says}));
  }
}

TEST_F(AddModel, ReplacesForgetsAndNamesItsLike) {
  EXPECT_EQ(add_model(store(), endpoint_of(given())), std::vector<std::string>());
  ModelOptions other = given();
  other.endpoint.name = "farther";
  other.endpoint.transport.url = "https://mirror.example.org";
  EXPECT_EQ(add_model(store(), endpoint_of(other)), std::vector<std::string>{"far"});
  other.endpoint.asking.revision = "2";
  EXPECT_EQ(add_model(store(), endpoint_of(other)), std::vector<std::string>());
  EXPECT_EQ(model::find_endpoint(store().db(), "farther").asking.revision, "2");
  remove_model(store(), "far");
  EXPECT_FALSE(model::endpoint_named(store().db(), "far"));
  EXPECT_EQ(ended_with([&] { remove_model(store(), "far"); }).first, 3);
}

}  // namespace
}  // namespace residue::verbs
