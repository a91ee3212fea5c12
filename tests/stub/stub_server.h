// A server that speaks the chat-completions and embeddings interfaces, or pretends to: for tests of who asks it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace residue::stub {

// How one request is answered. The names are what the program residue_stub takes.
//   ok 500 502 502-bare 504 408 503 503-loading 429 429-after-1 429-quota 400 401 403 404 redirect 204
//   close-before reset close-mid close-no-length chunked chunked-cut close-idle garbage gzip gzip-broken slow html huge
//   truncated-json empty error200 no-choices refused length content-filter tool-calls null-content empty-content
//   not-json fenced wrapped eos end_turn reply-key-twice think rating-4 rating-string rating-float rating-true
//   missing-claim repeat-claim unknown-claim duplicate-key no-ratings obey neighbours numbered no-claims sorry
//   unknown-category of vectors: fewer-vectors wrong-dimension nan infinite zero-vector base64 shuffled index-twice
//   no-index word-vector
//   and those of stub_context.h, of which a number is a part
// obey: does what the passage says about ratings, the worst that a model can do. neighbours: a rating that depends on
// all claims of the request and on their order.
using Behaviour = std::string;

const std::vector<Behaviour>& behaviours();

class Server {
 public:
  // Listens on a free port of 127.0.0.1. `always`: how requests are answered that no script() is left for.
  explicit Server(Behaviour always = "ok", int delay_ms = 0);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/v1"; }

  void script(std::vector<Behaviour> next);
  void always(Behaviour behaviour);
  // Refuses what a real server of that name refuses (stub_presets.h), before it behaves.
  void imitate(std::string name);
  // What the votes of samples 0, 1 ... are, instead of what the passage says; from the seed of a request.
  void ratings(std::vector<int> by_seed);

  // Whole requests that arrived, and the same by body.
  [[nodiscard]] std::uint64_t requests() const;
  [[nodiscard]] std::map<std::string, int> bodies() const;
  [[nodiscard]] std::string last_headers() const;
  [[nodiscard]] std::size_t most_at_once() const { return most_; }

 private:
  void serve();
  void talk(int socket);
  bool reply(int socket, const Behaviour& behaviour, const std::string& body);
  void log(const std::string& request, const std::string& response) const;
  std::string answer(const std::string& body, const Behaviour& behaviour) const;

  int listener_ = -1;
  int port_ = 0;
  int delay_ms_ = 0;
  mutable std::mutex mutex_;
  Behaviour always_;
  std::deque<Behaviour> script_;
  std::string imitated_;
  std::vector<int> ratings_;
  std::map<std::string, int> bodies_;
  std::uint64_t requests_ = 0;
  std::string headers_;
  std::set<int> sockets_;
  std::vector<std::thread> talks_;
  std::atomic<std::size_t> at_once_{0}, most_{0};
  std::atomic<bool> ending_{false};
  std::thread server_;
};

}  // namespace residue::stub
