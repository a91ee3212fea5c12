// Each preset against a stub that refuses what its real server refuses: without the preset nothing is answered there,
// with it every misbehaviour ends as everywhere.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "model/asking/asker.h"
#include "model/asking/egress.h"
#include "model/asking/vote_key.h"
#include "model/server/presets.h"
#include "model/tasks/claim_support.h"
#include "tests/model/asking/misbehaviours.h"
#include "tests/model/store_fixture.h"
#include "tests/stub/stub_presets.h"
#include "tests/stub/stub_server.h"

namespace residue::model::testing {
namespace {

class PresetsAsked : public ModelStore {
 protected:
  PresetsAsked() {
    ::setenv("RESIDUE_TEST_KEY", "sk-3", 1);
    options_.retry.base = Millis(1);
    options_.retry.cap = Millis(5);
    options_.retry.patience = Millis(2'000);
  }
  ~PresetsAsked() override { ::unsetenv("RESIDUE_TEST_KEY"); }

  // As `model add` without a preset sets an endpoint up.
  static Endpoint plain(const stub::Server& server) {
    Endpoint endpoint;
    endpoint.name = "stub";
    endpoint.asking.model = "m";
    endpoint.asking.temperature = 0.7;
    endpoint.asking.max_tokens = 1'024;
    endpoint.asking.seed = 0;
    endpoint.transport.timeout_s = 2;
    endpoint.transport.key_env = "RESIDUE_TEST_KEY";
    endpoint.transport.url = server.url();
    return endpoint;
  }

  static Endpoint set_up(const stub::Server& server, const std::string& name, const std::string& path = "") {
    Endpoint endpoint = plain(server);
    const std::string host = server.url().substr(0, server.url().size() - 3);
    const ServerUrl url = parse_server_url(url_of_preset(preset_named(name), host + path));
    endpoint.transport.url = url.base;
    endpoint.transport.query = url.query;
    apply_preset(preset_named(name), std::nullopt, endpoint);
    return endpoint;
  }

  AskCounts ask_one(const Endpoint& endpoint) {
    ++asked_;
    const std::string passage = "Ann keeps " + std::to_string(asked_) + " bees.";
    Questions all;
    all.list.push_back({0, vote_key(spec_digest(endpoint.name), text_digest(passage), {}, 0), 0, 0});
    all.body = [&](std::size_t, std::uint32_t unusable) {
      const std::string_view claim = "Ann keeps";
      const auto messages = support_messages(support_template(), spec_digest("spec"), passage, std::span(&claim, 1));
      return chat_body(endpoint.asking, unusable, messages.system, messages.user, support_schema(1));
    };
    all.problem = [&](std::size_t, const ChatReply& reply) {
      return parse_support(reply.content, 1, endpoint.asking.form).problem;
    };
    return ask(store(), endpoint, "d", all, budget_, options_);
  }

  std::string last_state() {
    storage::Statement row = store().db().prepare("SELECT state FROM attempt ORDER BY id LIMIT 1 OFFSET ?1");
    row.bind(static_cast<std::int64_t>(offset_));
    return row.step() ? std::string(row.text(0)) : "";
  }

  Budget budget_;
  AskOptions options_;
  std::size_t asked_ = 0, offset_ = 0;
};

TEST_F(PresetsAsked, AreAnsweredByTheirServers) {
  for (const std::string& name : stub::imitated()) {
    SCOPED_TRACE(name);
    stub::Server server;
    server.imitate(name);
    const AskCounts counts = ask_one(set_up(server, name));
    EXPECT_EQ(counts.saved, 1U);
    EXPECT_EQ(counts.requests, 1U);
  }
}

TEST_F(PresetsAsked, AreNeededWhereAServerRefusesWhatOthersTake) {
  for (const char* name : {"openai-reasoning", "azure", "gemini", "mistral", "anthropic-compatible"}) {
    SCOPED_TRACE(name);
    stub::Server server;
    server.imitate(name);
    EXPECT_THROW(ask_one(plain(server)), Error);
  }
}

TEST_F(PresetsAsked, TakesADatedDeploymentOfAzure) {
  stub::Server server;
  server.imitate("azure");
  const Endpoint endpoint = set_up(server, "azure", "/openai/deployments/d?api-version=2024-10-21");
  EXPECT_EQ(ask_one(endpoint).saved, 1U);
  EXPECT_NE(server.last_headers().find("POST /openai/deployments/d/chat/completions?api-version=2024-10-21 "),
            std::string::npos);
  EXPECT_NE(server.last_headers().find("\r\napi-key: sk-3"), std::string::npos);
  EXPECT_EQ(server.last_headers().find("Bearer"), std::string::npos);
}

TEST_F(PresetsAsked, SendFurtherFieldsToWhoTakesThem) {
  stub::Server server;
  server.imitate("vllm");
  Endpoint endpoint = set_up(server, "vllm");
  endpoint.asking.body = {body_field(R"(chat_template_kwargs={"enable_thinking":false})")};
  EXPECT_EQ(ask_one(endpoint).saved, 1U);
  EXPECT_NE(server.bodies().begin()->first.find(R"("chat_template_kwargs":{"enable_thinking":false})"),
            std::string::npos);
  EXPECT_NE(asking_json(endpoint.asking), asking_json(set_up(server, "vllm").asking)) << "it is another judge";
  EXPECT_EQ(asking_of(asking_json(endpoint.asking)), endpoint.asking);
  server.imitate("openai");
  try {
    ask_one(endpoint);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("HTTP 400"), std::string::npos) << error.what();
  }
}

TEST_F(PresetsAsked, SayWhyAServerRefusesInItsOwnForm) {
  struct Case {
    const char *name, *said;
  };
  for (const Case& one :
       {Case{"gemini", "HTTP 400: Invalid JSON"}, Case{"mistral", "HTTP 422: Extra inputs are not permitted body seed"},
        Case{"openai-reasoning", "HTTP 400: Unsupported parameter: 'max tokens'"}}) {
    SCOPED_TRACE(one.name);
    stub::Server server;
    server.imitate(one.name);
    Endpoint endpoint = set_up(server, one.name);
    endpoint.asking.seed = 0;
    endpoint.asking.random_seed = false;
    endpoint.asking.max_tokens = 5;
    try {
      ask_one(endpoint);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(one.said), std::string::npos) << error.what();
    }
  }
}

// The fault matrix: what a gateway does to a request does not depend on whose server stands behind it.
TEST_F(PresetsAsked, EndEveryMisbehaviourInOneOfFourWays) {
  for (const std::string& name : stub::imitated()) {
    for (const Misbehaviour& one : kMisbehaviours) {
      if (one.takes_long) continue;
      SCOPED_TRACE(name + " " + one.behaviour);
      stub::Server server;
      server.imitate(name);
      server.script({one.behaviour});
      const AskCounts counts = ask_one(set_up(server, name));
      EXPECT_EQ(counts.saved, 1U);
      EXPECT_EQ(counts.requests, std::string(one.state) == "saved" ? 1U : 2U);
      EXPECT_EQ(server.requests(), counts.requests);
      EXPECT_EQ(last_state(), one.state);
      offset_ += counts.requests;
    }
    // What no second request mends stops at the first.
    for (const char* behaviour : kHopeless) {
      SCOPED_TRACE(name + " " + behaviour);
      stub::Server server;
      server.imitate(name);
      server.script({behaviour});
      EXPECT_THROW(ask_one(set_up(server, name)), Error);
      EXPECT_EQ(server.requests(), 1U);
      EXPECT_EQ(last_state(), "refused");
      ++offset_;
    }
  }
}

}  // namespace
}  // namespace residue::model::testing
