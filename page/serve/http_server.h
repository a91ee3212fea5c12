// The server of `residue serve`: one thread, on this machine alone.
//
//   browser ── MHD ──> refused (4xx, no detail) | file of the viewer | Worker ── pipe ──> answer
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "page/serve/access.h"
#include "page/serve/kept.h"
#include "page/serve/request.h"

namespace residue::page {

struct ServerOptions {
  std::uint16_t port = 0;          // of 127.0.0.1; 0: one that is free
  std::filesystem::path socket;    // a Unix socket instead; it must not exist
  std::chrono::minutes idle{60};   // without a question, but whether something changed: the server ends
  std::chrono::seconds limit{30};  // for one answer
  std::chrono::seconds patience{10};  // for a whole request, and between two of one connection
  std::function<bool()> stop;
  std::function<Reply(const Request&)> answer;  // in a process of its own, with one thread
  // JSON, of /api/change: in this one, quick, opens nothing of the store.
  std::function<std::string()> change;
  // Likewise: another one whenever something was committed.
  std::function<std::string()> state = nullptr;
  Kept* kept = nullptr;  // what `answer` may put something in; needs `state`, lives as long as the server
};

class HttpServer {
 public:
  // Listens from here on. Throws Error{usage} for a port or socket that is taken, Error{io}.
  explicit HttpServer(ServerOptions options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // With the token: what a person opens.
  [[nodiscard]] std::string address() const;

  // Until `stop`, or nobody asked for `idle`.
  void run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace residue::page
