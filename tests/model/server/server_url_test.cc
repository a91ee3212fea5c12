#include "model/server/server_url.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace residue::model {
namespace {

TEST(ServerUrl, IsOneAddressHoweverItIsWritten) {
  struct Case {
    const char* written;
    const char* base;
    const char* host;
    bool loopback;
  };
  const Case cases[] = {
      {"http://localhost:8000", "http://localhost:8000/v1", "localhost", true},
      {"http://localhost:8000/", "http://localhost:8000/v1", "localhost", true},
      {"http://localhost:8000/v1", "http://localhost:8000/v1", "localhost", true},
      {"http://localhost:8000/v1/", "http://localhost:8000/v1", "localhost", true},
      {"http://localhost:8000/v1/chat/completions", "http://localhost:8000/v1", "localhost", true},
      {"http://localhost:8000/v1/embeddings", "http://localhost:8000/v1", "localhost", true},
      {"HTTPS://API.Example.com:443/v1", "https://api.example.com/v1", "api.example.com", false},
      {"https://example.com/api/v3beta", "https://example.com/api/v3beta", "example.com", false},
      {"https://api.example.com./v1", "https://api.example.com/v1", "api.example.com", false},
      {"http://localhost.:8000", "http://localhost:8000/v1", "localhost", true},
      {"https://example.com/gateway", "https://example.com/gateway/v1", "example.com", false},
      {"https://example.com/a/chat/completions", "https://example.com/a", "example.com", false},
      {"http://127.0.0.1:1", "http://127.0.0.1:1/v1", "127.0.0.1", true},
      {"https://x.example/v1beta/openai", "https://x.example/v1beta/openai", "x.example", false},
      {"https://x.example/openai", "https://x.example/openai/v1", "x.example", false},
      {"https://x.example/openai/deployments/d", "https://x.example/openai/deployments/d", "x.example", false},
      {"https://x.example/openai/deployments/d/chat/completions?api-version=2024-10-21",
       "https://x.example/openai/deployments/d", "x.example", false},
      {"http://localhost:8000/v1/models", "http://localhost:8000/v1", "localhost", true},
      {"http://localhost:8000/v1/completions/", "http://localhost:8000/v1", "localhost", true},
      {"https://x.example/openai/v1/", "https://x.example/openai/v1", "x.example", false},
      {"https://x.example/v1beta/openai/chat/completions", "https://x.example/v1beta/openai", "x.example", false},
      {"https://x.example/v4/accounts/1f/ai/v1", "https://x.example/v4/accounts/1f/ai/v1", "x.example", false},
      {"http://[::1]:8000", "http://[::1]:8000/v1", "::1", true},
      {"https://[2001:DB8::1]/v1", "https://[2001:db8::1]/v1", "2001:db8::1", false},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.written);
    const ServerUrl url = parse_server_url(one.written);
    EXPECT_EQ(url.base, one.base);
    EXPECT_EQ(url.host, one.host);
    EXPECT_EQ(url.loopback, one.loopback);
  }
}

// Who takes one dot away at each reading reads "localhost.." as another machine first and as this one then.
TEST(ServerUrl, RefusesNamesWithAnEmptyLabel) {
  for (const char* written :
       {"https://localhost../v1", "https://.example.org/v1", "https://a..b.example/v1", "https://./v1"}) {
    EXPECT_THROW((void)parse_server_url(written), Error) << written;
  }
}

// They would become ".../v1/responses/v1", which no server has.
TEST(ServerUrl, RefusesOtherInterfacesThanChatCompletions) {
  for (const char* written :
       {"https://x.example/v1/responses", "https://x.example/v1/responses/", "https://x.example/openai/responses",
        "https://x.example/openai/deployments/d/responses?api-version=2024-10-21", "https://x.example/v1/messages",
        "http://localhost:11434/api/chat", "http://localhost:11434/api/generate", "https://x.example/v1/chat",
        "https://x.example/v1/audio/speech", "https://x.example/v1beta/models/m:generateContent"}) {
    SCOPED_TRACE(written);
    try {
      ADD_FAILURE() << parse_server_url(written).base;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      EXPECT_NE(error.hint().find("/v1"), std::string::npos);
    }
  }
}

TEST(ProxyUrl, NeedsASchemeAndAPort) {
  EXPECT_EQ(parse_proxy_url("http://Proxy.example:3128/").base, "http://proxy.example:3128");
  EXPECT_EQ(parse_proxy_url("http://proxy.example:80").base, "http://proxy.example:80");
  EXPECT_EQ(parse_proxy_url("https://[2001:DB8::1]:443").base, "https://[2001:db8::1]:443");
  EXPECT_EQ(stored_proxy("http://proxy.example").host, "proxy.example") << "as earlier versions wrote port 80";
  for (const char* written : {"http://proxy.example", "http://proxy.example/", "https://[2001:db8::1]",
                              "proxy.example:3128", "socks5://proxy.example:1080", "ftp://proxy.example:21",
                              "http://proxy.example:3128/path", "//proxy.example:1"}) {
    SCOPED_TRACE(written);
    try {
      ADD_FAILURE() << parse_proxy_url(written).base;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      EXPECT_EQ(error.hint(), "for example http://proxy.example.org:3128");
    }
  }
}

TEST(ServerUrl, RefusesWhatWouldSendTextsUnprotectedOrHoldsAKey) {
  for (const char* written : {"http://example.com",
                              "http://10.0.0.1:8000/v1",
                              "http://127.0.0.1.example.com",
                              "http://127.1",
                              "http://0x7f.0.0.1",
                              "http://localhost.example.com",
                              "http://user:secret@localhost",
                              "https://example.com/v1?key=secret",
                              "https://example.com/v1#secret",
                              "https://example.com/v1?api-version=2024&key=secret",
                              "https://example.com/v1?api-version=",
                              "https://example.com/v1?api-version=SECRET",
                              "ftp://localhost",
                              "localhost:8000",
                              "https://",
                              "https://exa mple.com",
                              "https://example.com:0",
                              "https://example.com:99999",
                              "https://example.com:",
                              "http://[::1",
                              "http://[::2]",
                              "http://127.0.0.01",
                              "http://127.0.0.256",
                              "https://ex%61mple.com"}) {
    SCOPED_TRACE(written);
    try {
      (void)parse_server_url(written);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      EXPECT_EQ(std::string(error.what()).find("secret"), std::string::npos);
      EXPECT_EQ(error.hint().find("secret"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace residue::model
