#include "model/server/presets.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "model/server/request.h"
#include "model/server/server_url.h"
#include "tests/stub/stub_presets.h"

namespace residue::model {
namespace {

TEST(Presets, AreThoseThatTheStubImitates) { EXPECT_EQ(preset_names(), stub::imitated()); }

TEST(Presets, NameTheDocumentationThatTheyFollow) {
  for (const Preset& preset : presets()) EXPECT_FALSE(preset.documentation.empty()) << preset.name;
}

TEST(Presets, KnowWhereTheirServersAre) {
  struct Case {
    const char *preset, *url, *base, *query;
  };
  const Case cases[] = {
      {"openai", "", "https://api.openai.com/v1", ""},
      {"openai", "https://gateway.example", "https://gateway.example/v1", ""},
      {"gemini", "", "https://generativelanguage.googleapis.com/v1beta/openai", ""},
      {"gemini", "https://gateway.example/", "https://gateway.example/v1beta/openai", ""},
      {"azure", "https://x.openai.azure.com", "https://x.openai.azure.com/openai/v1", ""},
      {"azure", "https://x.openai.azure.com/openai/v1/", "https://x.openai.azure.com/openai/v1", ""},
      {"azure", "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
       "https://x.openai.azure.com/openai/deployments/d", "api-version=2024-10-21"},
      {"azure", "https://x.openai.azure.com/openai/deployments/d?api-version=2025-01-01-preview",
       "https://x.openai.azure.com/openai/deployments/d", "api-version=2025-01-01-preview"},
      {"mistral", "", "https://api.mistral.ai/v1", ""},
      {"anthropic-compatible", "", "https://api.anthropic.com/v1", ""},
      {"ollama", "", "http://localhost:11434/v1", ""},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(std::string(one.preset) + " " + one.url);
    const ServerUrl url = parse_server_url(url_of_preset(preset_named(one.preset), one.url));
    EXPECT_EQ(url.base, one.base);
    EXPECT_EQ(url.query, one.query);
    EXPECT_EQ(parse_server_url(url.base).base, url.base);
  }
  EXPECT_THROW(url_of_preset(preset_named("azure"), ""), Error);
  EXPECT_THROW(preset_named("opnai"), Error);
}

TEST(Presets, UnsetWhatTheirServersRefuse) {
  const auto applied = [](const char* name) {
    Endpoint endpoint;
    endpoint.asking.temperature = 0.7;
    endpoint.asking.top_p = 0.9;
    endpoint.asking.presence_penalty = 0.1;
    endpoint.asking.frequency_penalty = 0.1;
    endpoint.asking.max_tokens = 1'024;
    endpoint.asking.seed = 0;
    apply_preset(preset_named(name), std::nullopt, endpoint);
    return endpoint;
  };
  const Endpoint reasoning = applied("openai-reasoning");
  EXPECT_FALSE(reasoning.asking.temperature || reasoning.asking.top_p || reasoning.asking.presence_penalty ||
               reasoning.asking.frequency_penalty || reasoning.asking.seed || reasoning.asking.max_tokens);
  EXPECT_EQ(reasoning.asking.max_completion_tokens, kThinkingTokens);
  EXPECT_FALSE(applied("gemini").asking.seed);
  EXPECT_EQ(applied("gemini").asking.form, AnswerForm::kObject);
  EXPECT_TRUE(applied("mistral").asking.random_seed);
  EXPECT_EQ(applied("mistral").asking.seed, 0);
  EXPECT_EQ(applied("azure").transport.key_header, "api-key");
  EXPECT_EQ(applied("anthropic-compatible").transport.key_header, "x-api-key");
  // What everybody takes makes the judge that it always made.
  EXPECT_EQ(asking_json(applied("vllm").asking), asking_json(applied("openai").asking));
  EXPECT_EQ(applied("openai").asking.temperature, 0.7);
  Endpoint own;
  apply_preset(preset_named("gemini"), AnswerForm::kSchema, own);
  EXPECT_EQ(own.asking.form, AnswerForm::kSchema);
}

TEST(BodyField, IsJsonUnderANameThatNobodyElseSets) {
  EXPECT_EQ(body_field(R"(chat_template_kwargs={ "enable_thinking" : false })"),
            (std::pair<std::string, std::string>("chat_template_kwargs", R"({"enable_thinking":false})")));
  EXPECT_EQ(body_field(R"(guided_json={"b":1,"a":{"d":1,"c":2}})").second, R"({"b":1,"a":{"d":1,"c":2}})")
      << "its order";
  for (const char* wrong : {"", "=1", "a", "a=", "a=flex", "a={", R"(a={"b":1,"b":2})", "a b=1", "model=\"x\"",
                            "seed=1", "messages=[]", "response_format={}", "stream=true"}) {
    EXPECT_THROW(body_field(wrong), Error) << wrong;
  }
}

// Several answers, pieces, other forms, prompts that are cut, limits that the budget does not know.
TEST(BodyField, IsNoneThatChangesHowManyAnswersComeOrHowTheyAreRead) {
  for (const char* field : {"n", "best_of", "candidate_count", "num_return_sequences", "stream", "tools", "modalities",
                            "response_format", "echo", "stop", "truncate_prompt_tokens", "transforms", "n_predict",
                            "max_output_tokens", "logprobs", "top_logprobs"}) {
    SCOPED_TRACE(field);
    try {
      body_field(std::string(field) + "=1");
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      EXPECT_NE(std::string(error.what()).find(field), std::string::npos);
    }
  }
  EXPECT_EQ(body_field("top_k=20").second, "20");
  // Nor inside of what servers read as if it stood beside.
  for (const char* field :
       {R"(options={"num_ctx":512})", R"(extra_body={"max_tokens":9})", R"(extra_body={"google":{"n":2}})",
        R"(options={"top_k":1,"num_predict":9})", "num_ctx=512", R"(parameters={"stop":["a"]})"})
    EXPECT_THROW(body_field(field), Error) << field;
  EXPECT_EQ(body_field(R"(options={"top_k":1})").second, R"({"top_k":1})");
  EXPECT_NO_THROW(body_field(R"(chat_template_kwargs={"n":1})"));
}

TEST(Receivers, AreTheServerAndTheProxyOnTheWay) {
  Transport transport;
  transport.url = "https://models.example/v1";
  EXPECT_EQ(receiver_name(receiver_of(transport)), "models.example");
  transport.proxy = parse_proxy_url("http://Proxy.example:3128/").base;
  EXPECT_EQ(transport.proxy, "http://proxy.example:3128");
  EXPECT_EQ(receiver_name(receiver_of(transport)), "models.example via proxy.example");
  EXPECT_FALSE(receiver_of(transport).proxy_loopback);
  transport.proxy = "http://localhost:3128";
  EXPECT_TRUE(receiver_of(transport).proxy_loopback);
  for (const char* wrong : {"proxy.example:3128", "socks5://proxy.example", "http://user:secret@proxy.example",
                            "http://proxy.example/path", "http://proxy.example:0"}) {
    EXPECT_THROW(parse_proxy_url(wrong), Error) << wrong;
  }
}

TEST(Request, HasTheQueryBehindItsCall) {
  Transport transport;
  transport.url = "https://x.openai.azure.com/openai/deployments/d";
  transport.query = "api-version=2024-10-21";
  transport.key_header = "api-key";
  const HttpRequest request = request_to(transport, 3, "/chat/completions", "{}", "k");
  EXPECT_EQ(request.url, "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21");
  EXPECT_EQ(request.key_header, "api-key");
  EXPECT_EQ(request.id, 3U);
}

}  // namespace
}  // namespace residue::model
