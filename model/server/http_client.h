// Many requests at once over HTTP, by libcurl.
//
// A request is sent once or not at all: its body is streamed and cannot be rewound, so that a kept connection that
// turns out to be dead is an error here, never a silent second request. Redirects are not followed (they would carry
// the texts elsewhere), proxies and .netrc of the environment are not used, localhost is this machine whatever a
// resolver says. Replies may be compressed; limits are of what is in them.
//
// A server over https is trusted by the system's certificate authorities, or by those in the file that the environment
// names as SSL_CERT_FILE, in their place; so is a proxy over https. Through a proxy, an https server is reached by
// CONNECT: the proxy gets the server's name and port, never the key or a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace residue::model {

// How far a request got.
enum class Delivery : std::uint8_t {
  kAnswered,        // a whole reply, whatever its status
  kNotSent,         // the server never got it: may be repeated
  kMaybeSent,       // the server may have worked on it, and may want to be paid
  kUntrusted,       // the server, or the proxy, did not prove who it is
  kRefusedByProxy,  // the proxy lets nobody through to the server: nothing was sent
};

// Whether anything of the request left this process.
constexpr bool was_sent(Delivery delivery) {
  return delivery == Delivery::kAnswered || delivery == Delivery::kMaybeSent;
}

struct HttpRequest {
  std::uint64_t id = 0;  // comes back with the reply
  std::string url;
  std::string body;  // JSON
  std::string api_key;
  std::string key_header = {};  // empty: Authorization: Bearer
  std::string proxy = {};       // "http://host:port"; empty: none, whatever the environment says
};

struct HttpReply {
  std::uint64_t id = 0;
  Delivery delivery = Delivery::kNotSent;
  std::string reason;  // of everything but kAnswered: "timed out", "connection closed"; nothing of the server's
  int status = 0;
  std::string body;
  bool untouched = false;  // it came before a byte of the request's body was sent
  std::optional<std::int64_t> retry_after_s;
  std::int64_t ms = 0;
};

struct HttpLimits {
  std::int64_t connect_ms = 10'000;
  std::int64_t total_ms = 300'000;
  std::size_t reply_bytes = std::size_t{4} << 20U;  // a larger reply is cut: kMaybeSent
};

// Not for use by two threads at once.
class HttpClient {
 public:
  explicit HttpClient(HttpLimits limits = {});
  ~HttpClient();  // Gives up what is in flight.
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void start(HttpRequest request);
  [[nodiscard]] std::size_t in_flight() const;

  // Replies that have come, in no particular order; waits for one, at most `ms`.
  std::vector<HttpReply> wait(int ms);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace residue::model
