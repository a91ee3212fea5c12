#include "model/server/http_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/stub/stub_server.h"

namespace residue::model {
namespace {

HttpReply post(HttpClient& client, const std::string& url,
               const std::string& body = R"({"messages":[{"content":""}]})") {
  client.start({7, url, body, "sk-secret"});
  std::vector<HttpReply> replies;
  while (replies.empty()) replies = client.wait(100);
  EXPECT_EQ(replies.size(), 1U);
  EXPECT_EQ(replies[0].id, 7U);
  return replies[0];
}

TEST(HttpClient, SendsTheBodyAndTheKeyAndReadsTheReply) {
  stub::Server server;
  HttpClient client;
  const HttpReply reply = post(client, server.url() + "/chat/completions");
  EXPECT_EQ(reply.delivery, Delivery::kAnswered);
  EXPECT_EQ(reply.status, 200);
  EXPECT_NE(reply.body.find("chat.completion"), std::string::npos);
  EXPECT_NE(server.last_headers().find("POST /v1/chat/completions"), std::string::npos);
  EXPECT_NE(server.last_headers().find("Authorization: Bearer sk-secret"), std::string::npos);
  EXPECT_EQ(server.last_headers().find("Expect"), std::string::npos);
  EXPECT_EQ(server.bodies().count(R"({"messages":[{"content":""}]})"), 1U);
}

TEST(HttpClient, SaysHowFarARequestGot) {
  struct Case {
    const char* behaviour;
    Delivery delivery;
    int status;
  };
  const Case cases[] = {
      {"ok", Delivery::kAnswered, 200},
      {"500", Delivery::kAnswered, 500},
      {"redirect", Delivery::kAnswered, 307},
      {"204", Delivery::kAnswered, 204},
      {"chunked", Delivery::kAnswered, 200},
      {"empty", Delivery::kAnswered, 200},
      {"close-no-length", Delivery::kAnswered, 200},
      {"close-before", Delivery::kMaybeSent, 0},
      {"reset", Delivery::kMaybeSent, 0},
      {"close-mid", Delivery::kMaybeSent, 0},
      {"chunked-cut", Delivery::kMaybeSent, 0},
      {"garbage", Delivery::kMaybeSent, 0},
      {"huge", Delivery::kAnswered, 200},
      {"gzip", Delivery::kAnswered, 200},
      {"gzip-broken", Delivery::kMaybeSent, 0},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.behaviour);
    stub::Server server(one.behaviour);
    HttpClient client;
    const HttpReply reply = post(client, server.url() + "/chat/completions");
    EXPECT_EQ(reply.delivery, one.delivery) << reply.reason;
    EXPECT_EQ(reply.status, one.status);
    EXPECT_EQ(server.requests(), 1U);
  }
}

TEST(HttpClient, UnpacksWhatAGatewayCompresses) {
  stub::Server server;
  HttpClient client;
  const std::string plain = post(client, server.url() + "/chat/completions").body;
  server.always("gzip");
  EXPECT_EQ(post(client, server.url() + "/chat/completions").body, plain);
  EXPECT_NE(server.last_headers().find("Accept-Encoding: gzip"), std::string::npos);
}

TEST(HttpClient, NeverSendsTwiceWhereAKeptConnectionIsDead) {
  stub::Server server;
  server.script({"ok", "close-before"});
  HttpClient client;
  EXPECT_EQ(post(client, server.url() + "/chat/completions").status, 200);
  // The second request goes out on the connection kept from the first, arrives, and the connection ends without a byte.
  const std::string body = R"({"messages":[{"content":"2"}]})";
  EXPECT_EQ(post(client, server.url() + "/chat/completions", body).delivery, Delivery::kMaybeSent);
  EXPECT_EQ(server.bodies()[body], 1);
  EXPECT_EQ(post(client, server.url() + "/chat/completions").status, 200);
  EXPECT_EQ(server.requests(), 3U);
}

TEST(HttpClient, SendsAtMostOneWholeRequestWhereTheServerDropsAKeptConnection) {
  for (int i = 0; i < 50; ++i) {
    stub::Server server;
    server.script({"close-idle"});
    HttpClient client;
    EXPECT_EQ(post(client, server.url() + "/chat/completions").status, 200);
    // Dropped at the first byte: either nobody knows, or the body had not left and went out on another connection.
    const std::string body = R"({"messages":[{"content":"2"}]})";
    const HttpReply second = post(client, server.url() + "/chat/completions", body);
    const int arrived = server.bodies()[body];
    EXPECT_EQ(arrived, second.delivery == Delivery::kAnswered ? 1 : 0);
    EXPECT_TRUE(second.delivery == Delivery::kAnswered || second.delivery == Delivery::kMaybeSent);
  }
}

TEST(HttpClient, ReadsRetryAfterTimesOutAndKnowsWhenNobodyIsThere) {
  stub::Server server("429-after-1");
  HttpClient client;
  EXPECT_EQ(post(client, server.url() + "/x").retry_after_s, 1);
  server.always("slow");
  HttpClient hasty(HttpLimits{.total_ms = 200});
  EXPECT_EQ(post(hasty, server.url() + "/x").delivery, Delivery::kMaybeSent);
  EXPECT_EQ(post(client, "http://127.0.0.1:1/v1/x").delivery, Delivery::kNotSent);
  HttpClient quick(HttpLimits{.connect_ms = 200});
  EXPECT_EQ(post(quick, "https://127.0.0.1:" + std::to_string(server.port())).delivery, Delivery::kNotSent);
}

TEST(HttpClient, UsesNoProxyOfTheEnvironment) {
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  ::setenv("all_proxy", "http://127.0.0.1:1", 1);
  stub::Server server;
  HttpClient client;
  EXPECT_EQ(post(client, server.url() + "/x").status, 200);
  EXPECT_EQ(post(client, "http://localhost:" + std::to_string(server.port()) + "/v1/x").status, 200);
  ::unsetenv("http_proxy");
  ::unsetenv("all_proxy");
}

TEST(HttpClient, GoesThroughAProxyThatIsNamedAndShowsItNoKey) {
  ::setenv("no_proxy", "*", 1);
  stub::Server proxy;
  const std::string address = "http://127.0.0.1:" + std::to_string(proxy.port());
  const auto through = [&](const std::string& url) {
    HttpClient client;
    HttpRequest request{7, url, R"({"messages":[{"content":""}]})", "sk-secret"};
    request.proxy = address;
    client.start(std::move(request));
    std::vector<HttpReply> replies;
    while (replies.empty()) replies = client.wait(100);
    return replies.front();
  };
  EXPECT_EQ(through("http://models.invalid/v1/chat/completions").status, 200);
  EXPECT_NE(proxy.last_headers().find("POST http://models.invalid/v1/chat/completions"), std::string::npos);
  // The stub makes no tunnel: nothing was sent to anybody, the key least of all.
  const HttpReply refused = through("https://models.invalid/v1/chat/completions");
  EXPECT_FALSE(was_sent(refused.delivery)) << refused.reason;
  EXPECT_NE(proxy.last_headers().find("CONNECT models.invalid:443"), std::string::npos);
  EXPECT_EQ(proxy.last_headers().find("sk-secret"), std::string::npos);
  // A refusal is not asked about again; a proxy that cannot reach the server is.
  struct Case {
    const char* behaviour;
    Delivery delivery;
    const char* reason;
  };
  for (const Case& one : {Case{"403", Delivery::kRefusedByProxy, "the proxy does not let this through (HTTP 403)"},
                          Case{"429", Delivery::kNotSent, "the proxy makes no connection (HTTP 429)"},
                          Case{"502", Delivery::kNotSent, "the proxy makes no connection (HTTP 502)"}}) {
    proxy.always(one.behaviour);
    const HttpReply reply = through("https://models.invalid/v1/chat/completions");
    EXPECT_EQ(reply.delivery, one.delivery) << one.behaviour;
    EXPECT_EQ(reply.reason, one.reason);
  }
  ::unsetenv("no_proxy");
}

TEST(HttpClient, SendsTheKeyInTheHeaderThatTheServerWants) {
  stub::Server server;
  HttpClient client;
  HttpRequest request{7, server.url() + "/chat/completions", R"({"messages":[{"content":""}]})", "sk-secret"};
  request.key_header = "api-key";
  client.start(std::move(request));
  std::vector<HttpReply> replies;
  while (replies.empty()) replies = client.wait(100);
  EXPECT_NE(server.last_headers().find("\r\napi-key: sk-secret"), std::string::npos);
  EXPECT_EQ(server.last_headers().find("Authorization"), std::string::npos);
}

}  // namespace
}  // namespace residue::model
