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
