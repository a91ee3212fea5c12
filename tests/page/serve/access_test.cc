// Who may ask the server of `residue serve`.
#include "page/serve/access.h"

#include <gtest/gtest.h>

#include <string>

namespace residue::page {
namespace {

constexpr std::uint16_t kPort = 4321;

Claimed of_browser(const std::string& cookie) {
  return {.host = "127.0.0.1:4321", .origin = {}, .site = "same-origin", .cookie = cookie, .authorization = {}};
}

TEST(Access, DrawsAnotherTokenAndCookieEachTime) {
  const Access one(kPort), other(kPort);
  EXPECT_EQ(one.token().size(), 64U);
  EXPECT_NE(one.token(), other.token());
  EXPECT_NE(one.cookie(), other.cookie());
  EXPECT_EQ(one.cookie().find(one.token()), std::string::npos);
}

TEST(Access, KnowsItsOwnNamesAndOrigins) {
  const Access access(kPort);
  for (const char* const host : {"127.0.0.1:4321", "localhost:4321"}) {
    EXPECT_TRUE(access.is_ours({.host = host, .origin = {}, .site = {}, .cookie = {}, .authorization = {}}));
  }
  for (const char* const host :
       {"", "127.0.0.1", "127.0.0.1:4322", "127.0.0.1:43210", "evil.example:4321", "127.0.0.1:4321.evil.example",
        "LOCALHOST:4321", "[::1]:4321", "localhost:4321 ", "0.0.0.0:4321"}) {
    EXPECT_FALSE(access.is_ours({.host = host, .origin = {}, .site = {}, .cookie = {}, .authorization = {}})) << host;
  }
  for (const char* const origin : {"null", "http://evil.example", "https://127.0.0.1:4321", "http://127.0.0.1:4322",
                                   "http://127.0.0.1", "http://localhost:4321"}) {
    EXPECT_FALSE(
        access.is_ours({.host = "127.0.0.1:4321", .origin = origin, .site = {}, .cookie = {}, .authorization = {}}))
        << origin;
  }
  EXPECT_TRUE(access.is_ours({.host = "127.0.0.1:4321",
                              .origin = "http://127.0.0.1:4321",
                              .site = "same-origin",
                              .cookie = {},
                              .authorization = {}}));
  for (const char* const site : {"cross-site", "same-site"}) {
    EXPECT_FALSE(
        access.is_ours({.host = "127.0.0.1:4321", .origin = {}, .site = site, .cookie = {}, .authorization = {}}));
  }
}

TEST(Access, OfASocketTakesAnyPortThatLeadsThere) {
  const Access access(0);
  const auto ours = [&](const char* host) {
    return access.is_ours({.host = host, .origin = {}, .site = {}, .cookie = {}, .authorization = {}});
  };
  for (const char* const host : {"localhost", "localhost:8000", "127.0.0.1:80"}) EXPECT_TRUE(ours(host)) << host;
  for (const char* const host :
       {"", "localhost:", "localhost:8x", "localhost:123456", "localhost.evil.example", "evil.example:80"}) {
    EXPECT_FALSE(ours(host)) << host;
  }
}

TEST(Access, TakesItsCookieAndItsTokenAndNothingElse) {
  const Access access(kPort);
  const std::string cookie = access.cookie().substr(0, access.cookie().find(';'));
  EXPECT_TRUE(access.is_known(of_browser(cookie), true));
  EXPECT_TRUE(access.is_known(of_browser("theme=dark; " + cookie + "; other=1"), true));
  EXPECT_FALSE(access.is_known(of_browser(""), true));
  EXPECT_FALSE(access.is_known(of_browser(cookie.substr(0, cookie.size() - 1)), true));
  EXPECT_FALSE(access.is_known(of_browser(cookie + "0"), true));
  EXPECT_FALSE(access.is_known(of_browser("x" + cookie), true));
  EXPECT_FALSE(access.is_known(of_browser("residue-4321=" + access.token()), true));
  EXPECT_FALSE(access.is_known(of_browser("residue-4321="), true));
  EXPECT_FALSE(access.is_known(of_browser(cookie), false));  // sent to another path
  EXPECT_NE(access.cookie().find("Path=" + access.path() + "/;"), std::string::npos);
  const std::string bearer = "Bearer " + access.token();
  Claimed program{.host = "127.0.0.1:4321", .origin = {}, .site = {}, .cookie = {}, .authorization = bearer};
  EXPECT_TRUE(access.is_known(program, false));
  program.authorization = "Basic ";
  EXPECT_FALSE(access.is_known(program, false));
  EXPECT_FALSE(access.is_token(""));
  EXPECT_FALSE(access.is_token(access.token() + "0"));
}

}  // namespace
}  // namespace residue::page
