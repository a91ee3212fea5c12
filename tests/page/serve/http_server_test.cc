// The server of `residue serve`, asked over sockets as a browser, a script and an attacker would.
#include "page/serve/http_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/error.h"

namespace residue::page {
namespace {

constexpr const char* kSecret = "what only the answer says";

// A server in a process of its own; it ends with the test.
class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override { start({}); }

  void start(ServerOptions options) {
    child_.reset();
    std::optional<Pipe> pipe = Pipe::make();
    options.answer = [](const Request& request) -> Reply {
      if (request.path == "/api/slow") std::this_thread::sleep_for(std::chrono::seconds(30));
      if (request.path == "/api/dead") std::abort();
      if (request.path == "/api/large") return {.body = std::string(80U << 20U, 'x')};
      std::string said;
      for (const auto& [name, value] : request.query) said += name + "=" + value + ";";
      return {.type = "text/plain", .body = kSecret + (" " + request.method) + " " + said + request.body};
    };
    options.change = [] { return std::string(R"({"change":"17"})"); };
    std::optional<Child> child = Child::copy([&]() -> int {
      HttpServer server(std::move(options));
      const std::string address = server.address();
      if (::write(pipe->write_end(), address.data(), address.size()) < 0) return 1;
      pipe->close_write();
      server.run();
      return 0;
    });
    child_ = std::make_unique<Child>(std::move(*child));
    pipe->close_write();
    std::string address;
    char chunk[256];
    for (ssize_t got = 0; (got = ::read(pipe->read_end(), chunk, sizeof chunk)) > 0;) {
      address.append(chunk, static_cast<std::size_t>(got));
    }
    const std::size_t colon = address.rfind(':'), hash = address.find("/#");
    ASSERT_NE(hash, std::string::npos);
    port_ = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1, hash - colon - 1)));
    token_ = address.substr(hash + 2);
  }

  // All that comes back until the server closes, or says nothing for three seconds.
  std::string raw(const std::string& bytes) const {
    const int out = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(out, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    const timeval patience{3, 0};
    ::setsockopt(out, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t written = ::send(out, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (written <= 0) break;
      sent += static_cast<std::size_t>(written);
    }
    std::string answer;
    char chunk[1 << 16];
    for (ssize_t got = 0; (got = ::recv(out, chunk, sizeof chunk, 0)) > 0;) {
      answer.append(chunk, static_cast<std::size_t>(got));
    }
    ::close(out);
    return answer;
  }

  // A connection on which this was said, and no more.
  int begun(const std::string& bytes) const {
    const int out = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port_);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(out, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
    EXPECT_EQ(::send(out, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    return out;
  }

  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }

  std::string ask(const std::string& line, const std::string& fields, const std::string& body = {}) const {
    return raw(line + " HTTP/1.1\r\nHost: " + host() + "\r\nConnection: close\r\n" + fields +
               (body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n") + "\r\n" + body);
  }

  std::string known() const { return "Authorization: Bearer " + token_ + "\r\n"; }

  static int status(const std::string& answer) {
    return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
  }

  std::uint16_t port_ = 0;
  std::string token_;
  std::unique_ptr<Child> child_;
};

TEST_F(HttpServerTest, GivesAPageACookieForItsTokenAndAnswersThen) {
  const std::string session = ask("POST /api/session", "", token_);
  EXPECT_EQ(status(session), 200);
  const std::size_t named = session.find(R"({"path":")");
  ASSERT_NE(named, std::string::npos);
  const std::string path = session.substr(named + 9, 33);
  const std::size_t cookie = session.find("Set-Cookie: ");
  ASSERT_NE(cookie, std::string::npos);
  const std::string kept = session.substr(cookie + 12, session.find(';', cookie) - cookie - 12);
  EXPECT_NE(session.find("HttpOnly"), std::string::npos);
  EXPECT_NE(session.find("SameSite=Strict"), std::string::npos);
  const std::string answer = ask("GET " + path + "/api/runs?dataset=a%20b&x=%C3%A9",
                                 "Cookie: " + kept + "\r\nSec-Fetch-Site: same-origin\r\n");
  EXPECT_EQ(status(answer), 200);
  EXPECT_NE(answer.find(std::string(kSecret) + " GET dataset=a b;x=\xC3\xA9;"), std::string::npos);
  EXPECT_NE(answer.find("Content-Security-Policy: default-src 'none'; script-src 'self'"), std::string::npos);
  EXPECT_NE(answer.find("Cache-Control: no-store"), std::string::npos);
  EXPECT_NE(answer.find("X-Content-Type-Options: nosniff"), std::string::npos);
}

TEST_F(HttpServerTest, TakesAStatementAndTellsWhetherSomethingChanged) {
  EXPECT_NE(ask("POST /api/sql", known(), "SELECT 1").find("POST SELECT 1"), std::string::npos);
  EXPECT_NE(ask("GET /api/change", known()).find(R"({"change":"17"})"), std::string::npos);
}

TEST_F(HttpServerTest, ShowsItsFilesToEverybodyOnThisMachineForTheyHoldNothing) {
  for (const char* const path : {"/", "/runs?dataset=x", "/web/style.css", "/web/d3.js", "/web/charts.js"}) {
    EXPECT_EQ(status(ask(std::string("GET ") + path, "")), 200) << path;
  }
}

TEST_F(HttpServerTest, RefusesWhatIsNotAskedByItsOwnPages) {
  const std::string good = known();
  const auto with_host = [&](const std::string& line, const std::string& host) {
    return raw(line + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + good + "\r\n");
  };
  std::vector<std::string> answers;
  // Who asks.
  for (const char* const fields :
       {"", "Cookie: residue=1\r\n", "Authorization: Bearer \r\n", "Authorization: Bearer 0\r\n",
        "Authorization: Basic YTpi\r\n", "Authorization: bearer x\r\n", "Cookie: residue-1=\r\n", "X-Token: x\r\n",
        "Authorization:\r\n"}) {
    answers.push_back(ask("GET /api/runs", fields));
    answers.push_back(ask("POST /api/sql", fields, "SELECT 1"));
  }
  answers.push_back(ask("GET /api/runs?token=" + token_, ""));
  answers.push_back(ask("GET /api/runs#" + token_, ""));
  answers.push_back(ask("GET /api/runs", "Cookie: residue-" + std::to_string(port_) + "=" + token_ + "\r\n"));
  const std::string session = ask("POST /api/session", "", token_);
  const std::size_t set = session.find("Set-Cookie: ") + 12;
  answers.push_back(ask("GET /api/runs", "Cookie: " + session.substr(set, session.find(';', set) - set) + "\r\n"));
  // Twice.
  for (const char* const fields :
       {"Host: evil.example\r\n", "Origin: http://evil.example\r\nOrigin: http://127.0.0.1\r\n",
        "Origin: \r\nOrigin: http://evil.example\r\n", "Sec-Fetch-Site: \r\nSec-Fetch-Site: cross-site\r\n",
        "Authorization: Bearer x\r\n", "HOST: evil.example\r\n"}) {
    answers.push_back(ask("GET /api/runs", good + fields));
  }
  answers.push_back(ask("POST /api/sql", good + "Content-Length: 3\r\n", "SELECT 1"));
  // From where.
  for (const char* const fields :
       {"Origin: null\r\n", "Origin: http://evil.example\r\n", "Origin: file://\r\n", "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n", "Origin: https://127.0.0.1\r\n", "Origin: http://127.0.0.1:1\r\n"}) {
    answers.push_back(ask("GET /api/runs", good + fields));
    answers.push_back(ask("GET /", good + fields));
    answers.push_back(ask("POST /api/session", fields, token_));
  }
  for (const char* const other :
       {"evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "", "[::1]", "0.0.0.0", "residue.local:80"}) {
    answers.push_back(with_host("GET /api/runs", other));
  }
  answers.push_back(raw("GET /api/runs HTTP/1.1\r\nConnection: close\r\n" + good + "\r\n"));
  answers.push_back(raw("GET /api/runs HTTP/1.0\r\n" + good + "\r\n"));
  // How.
  for (const char* const method :
       {"PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "PROPFIND", "X"}) {
    answers.push_back(ask(std::string(method) + " /api/runs", good));
  }
  // What.
  for (const char* const path :
       {"/web/../../etc/passwd", "/web/%2e%2e/%2e%2e/etc/passwd", "/web/", "/web", "/.git/config", "/favicon.ico",
        "/web/viewer.html%00", "/web/style.css/", "//web/style.css", "/WEB/style.css", "/index.html",
        "/web/..%2fviewer.html", "/%00", "/web/%ff"}) {
    answers.push_back(ask(std::string("GET ") + path, good));
  }
  answers.push_back(ask("GET /api/runs?x=%ff", good));
  answers.push_back(ask("GET /api/runs?x=%00", good));
  std::string many = "GET /api/runs?a0=0";
  for (int i = 1; i < 60; ++i) many += "&a" + std::to_string(i) + "=0";
  answers.push_back(ask(many, good));
  answers.push_back(ask("GET /api/runs", good, "a body"));
  answers.push_back(ask("POST /api/session", "", "not the token"));
  answers.push_back(ask("GET /api/session", good));
  answers.push_back(ask("POST /", good, "x"));
  // How much.
  answers.push_back(ask("GET /api/runs?x=" + std::string(100'000, 'x'), good));
  answers.push_back(ask("GET /api/runs", good + "X-Long: " + std::string(100'000, 'x') + "\r\n"));
  answers.push_back(ask("POST /api/sql", good, std::string(2U << 20U, 'x')));
  // What is no HTTP.
  answers.push_back(raw("\r\n\r\n"));
  answers.push_back(raw(std::string("\0\1\2\3\r\n\r\n", 8)));
  answers.push_back(raw("GET\r\n\r\n"));
  answers.push_back(raw("GET /api/runs HTTP/9.9\r\nHost: " + host() + "\r\n" + good + "\r\n"));
  answers.push_back(ask("POST /api/sql", good + "Content-Length: -1\r\n"));
  answers.push_back(ask("POST /api/sql", good + "Content-Length: 99999999999999999999\r\n"));
  answers.push_back(ask("POST /api/sql", good + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "zz\r\nx"));
  EXPECT_GE(answers.size(), 60U);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].find(kSecret), std::string::npos) << i;
    EXPECT_EQ(answers[i].find("Set-Cookie"), std::string::npos) << i;
    if (status(answers[i]) == 0) continue;  // the connection was closed
    EXPECT_GE(status(answers[i]), 400) << i << ": " << answers[i].substr(0, 200);
    EXPECT_LT(status(answers[i]), 600) << i;
  }
  EXPECT_EQ(status(ask("GET /api/runs", good)), 200);  // and goes on
}

TEST_F(HttpServerTest, RefusalsSayNothing) {
  const std::string refused = ask("GET /api/runs", "");
  EXPECT_EQ(status(refused), 403);
  EXPECT_TRUE(refused.ends_with("\r\n\r\n")) << refused;
}

TEST_F(HttpServerTest, OutlivesAnswersThatDieOrNeverComeOrAreEndless) {
  ServerOptions options;
  options.limit = std::chrono::seconds(1);
  start(std::move(options));
  EXPECT_EQ(status(ask("GET /api/dead", known())), 503);
  EXPECT_EQ(status(ask("GET /api/slow", known())), 503);
  EXPECT_EQ(status(ask("GET /api/large", known())), 413);
  EXPECT_EQ(status(ask("GET /api/runs", known())), 200);
}

TEST_F(HttpServerTest, AnswersOthersWhileOneIsSlow) {
  std::vector<std::thread> slow;
  slow.reserve(3);
  for (int i = 0; i < 3; ++i) slow.emplace_back([&] { ask("GET /api/slow", known()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(status(ask("GET /api/runs", known())), 200);
  child_.reset();  // ends the server: the slow ones get nothing
  for (auto& one : slow) one.join();
}

TEST_F(HttpServerTest, AnswersBesideConnectionsThatNeverFinishTheirRequest) {
  std::vector<int> open;
  for (int i = 0; i < 128; ++i) open.push_back(begun("GET / HT"));
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(status(ask("GET /api/runs", known())), 200);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
  for (const int one : open) ::close(one);
}

TEST_F(HttpServerTest, EndsARequestThatComesByteByByte) {
  ServerOptions options;
  options.patience = std::chrono::seconds(1);
  start(std::move(options));
  const int slow = begun("GET /");
  const auto before = std::chrono::steady_clock::now();
  char byte;
  bool ended = false;
  while (!ended && std::chrono::steady_clock::now() - before < std::chrono::seconds(4)) {
    ended = ::send(slow, "x", 1, MSG_NOSIGNAL) < 0 || ::recv(slow, &byte, 1, MSG_DONTWAIT) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(ended);
  ::close(slow);
  EXPECT_EQ(status(ask("GET /api/runs", known())), 200);
}

TEST_F(HttpServerTest, EndsWhenNobodyAsks) {
  ServerOptions options;
  options.idle = std::chrono::minutes(0);
  start(std::move(options));
  EXPECT_EQ(child_->wait().code, 0);
}

TEST(HttpServer, SaysThatAPortIsTaken) {
  const int taken = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(taken, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(taken, 1), 0);
  ASSERT_EQ(::getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ServerOptions options;
  options.port = ntohs(address.sin_port);
  try {
    HttpServer server(std::move(options));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kUsage);
    EXPECT_NE(error.hint().find("--port"), std::string::npos);
  }
  ::close(taken);
}

}  // namespace
}  // namespace residue::page
