#include "tests/stub/stub_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tests/stub/stub_context.h"
#include "tests/stub/stub_gzip.h"
#include "tests/stub/stub_obey.h"
#include "tests/stub/stub_presets.h"
#include "tests/stub/stub_probabilities.h"
#include "tests/stub/stub_tasks.h"

namespace residue::stub {
namespace {

using Json = nlohmann::json;

void send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

std::string head(const std::string& status, std::size_t length, const std::string& more = "") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + more +
         "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}

std::string chunk(std::string_view bytes) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

std::string error_body(const std::string& message, const std::string& code) {
  return Json{{"error", {{"message", message}, {"type", code}, {"code", code}}}}.dump();
}

// The user's message of a request.
std::string user_message(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  if (json.is_object() && json.contains("input")) return json["input"].dump();
  if (!json.is_object() || !json.contains("messages")) return {};
  return json["messages"].back()["content"].get<std::string>();
}

struct Asked {
  std::string passage;
  std::vector<std::string> claims;
};

// As support_messages() lays it out: a line that names the marker, the marker, the passage, the marker, the claims.
Asked read_question(const std::string& user) {
  Asked asked;
  const std::size_t first = user.find('\n') + 1;
  const std::string marker = user.substr(first, user.find('\n', first) - first);
  const std::size_t begin = first + marker.size() + 1;
  const std::size_t end = user.rfind("\n" + marker + "\n");
  if (end == std::string::npos || end < begin) return asked;
  asked.passage = user.substr(begin, end - begin);
  std::size_t at = user.find("Claims:\n", end);
  if (at == std::string::npos) return asked;
  at += 8;
  while (at < user.size()) {
    const std::size_t line = std::min(user.find('\n', at), user.size());
    const std::string words = user.substr(at, line - at);
    if (words.find(". ") != std::string::npos) asked.claims.push_back(words.substr(words.find(". ") + 2));
    at = line + 1;
  }
  return asked;
}

// Every sentence of the claim, wherever it stands.
bool says_all(const std::string& passage, const std::string& claim) {
  if (passage.find(claim) != std::string::npos) return true;
  const std::size_t end = claim.find(". ");
  return end != std::string::npos && passage.find(claim.substr(0, end + 1)) != std::string::npos &&
         says_all(passage, claim.substr(end + 2));
}

std::string completion(const Json& content, const std::string& finish = "stop", const Json& refusal = Json()) {
  return Json{{"id", "stub"},
              {"object", "chat.completion"},
              {"created", 1},
              {"model", "stub-model"},
              {"system_fingerprint", "stub-1"},
              {"choices",
               {{{"index", 0},
                 {"message", {{"role", "assistant"}, {"content", content}, {"refusal", refusal}}},
                 {"finish_reason", finish}}}},
              {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}, {"total_tokens", 110}}}}
      .dump();
}

}  // namespace

const std::vector<Behaviour>& behaviours() {
  static const std::vector<Behaviour> all = {"ok",
                                             "500",
                                             "502",
                                             "502-bare",
                                             "504",
                                             "408",
                                             "503",
                                             "503-loading",
                                             "429",
                                             "429-after-1",
                                             "429-quota",
                                             "400",
                                             "401",
                                             "403",
                                             "404",
                                             "redirect",
                                             "204",
                                             "close-before",
                                             "reset",
                                             "close-mid",
                                             "close-no-length",
                                             "chunked",
                                             "chunked-cut",
                                             "close-idle",
                                             "garbage",
                                             "gzip",
                                             "gzip-broken",
                                             "slow",
                                             "html",
                                             "huge",
                                             "truncated-json",
                                             "empty",
                                             "error200",
                                             "no-choices",
                                             "refused",
                                             "length",
                                             "content-filter",
                                             "tool-calls",
                                             "null-content",
                                             "empty-content",
                                             "not-json",
                                             "fenced",
                                             "wrapped",
                                             "eos",
                                             "end_turn",
                                             "reply-key-twice",
                                             "think",
                                             "rating-4",
                                             "rating-string",
                                             "rating-float",
                                             "rating-true",
                                             "missing-claim",
                                             "repeat-claim",
                                             "unknown-claim",
                                             "duplicate-key",
                                             "no-ratings",
                                             "obey",
                                             "neighbours",
                                             "numbered",
                                             "no-claims",
                                             "sorry",
                                             "unknown-category",
                                             "out-of-range",
                                             "half",
                                             "fewer-vectors",
                                             "wrong-dimension",
                                             "nan",
                                             "infinite",
                                             "zero-vector",
                                             "base64",
                                             "shuffled",
                                             "index-twice",
                                             "no-index",
                                             "word-vector"};
  return all;
}

Server::Server(Behaviour always, int delay_ms) : delay_ms_(delay_ms), always_(std::move(always)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, generic, length) != 0 || ::listen(listener_, 256) != 0 ||
      ::getsockname(listener_, generic, &length) != 0) {
    throw std::runtime_error("no port to listen on");
  }
  port_ = ntohs(address.sin_port);
  server_ = std::thread([this] { serve(); });
}

Server::~Server() {
  ending_ = true;
  ::shutdown(listener_, SHUT_RDWR);
  {
    const std::scoped_lock lock(mutex_);
    for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
  }
  server_.join();
  for (std::thread& talk : talks_) talk.join();
  ::close(listener_);
}

void Server::script(std::vector<Behaviour> next) {
  const std::scoped_lock lock(mutex_);
  script_.assign(next.begin(), next.end());
}
void Server::always(Behaviour behaviour) {
  const std::scoped_lock lock(mutex_);
  always_ = std::move(behaviour);
}
void Server::imitate(std::string name) {
  const std::scoped_lock lock(mutex_);
  imitated_ = std::move(name);
}
void Server::ratings(std::vector<int> by_seed) {
  const std::scoped_lock lock(mutex_);
  ratings_ = std::move(by_seed);
}
std::uint64_t Server::requests() const {
  const std::scoped_lock lock(mutex_);
  return requests_;
}
std::map<std::string, int> Server::bodies() const {
  const std::scoped_lock lock(mutex_);
  return bodies_;
}
std::string Server::last_headers() const {
  const std::scoped_lock lock(mutex_);
  return headers_;
}

void Server::serve() {
  while (!ending_) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const std::scoped_lock lock(mutex_);
    sockets_.insert(socket);
    talks_.emplace_back([this, socket] { talk(socket); });
  }
}

void Server::talk(int socket) {
  std::string bytes;
  std::vector<char> buffer(1U << 16U);
  const auto more = [&] {
    const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got > 0) bytes.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
  };
  bool open = true;
  while (open) {
    std::size_t end = 0;
    while ((end = bytes.find("\r\n\r\n")) == std::string::npos && open) open = more();
    if (!open) break;
    std::string headers = bytes.substr(0, end);
    std::string lower = headers;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::size_t length_at = lower.find("content-length:");
    const std::size_t length = length_at == std::string::npos ? 0 : std::stoul(lower.substr(length_at + 15));
    while (bytes.size() < end + 4 + length && open) open = more();
    if (!open) break;
    const std::string body = bytes.substr(end + 4, length);
    bytes.erase(0, end + 4 + length);
    Behaviour behaviour;
    {
      const std::scoped_lock lock(mutex_);
      ++requests_;
      ++bodies_[body];
      headers_ = std::move(headers);
      behaviour = script_.empty() ? always_ : script_.front();
      if (!script_.empty()) script_.pop_front();
    }
    const std::size_t now = ++at_once_;
    std::size_t most = most_;
    while (now > most && !most_.compare_exchange_weak(most, now)) {
    }
    if (delay_ms_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms_));
    open = reply(socket, behaviour, body);
    --at_once_;
  }
  const std::scoped_lock lock(mutex_);
  sockets_.erase(socket);
  ::close(socket);
}

// Appends the exchange to the files KIND-request and KIND-response in the folder RESIDUE_STUB_LOG, for tests/interface.
void Server::log(const std::string& request, const std::string& response) const {
  const char* folder = std::getenv("RESIDUE_STUB_LOG");
  if (folder == nullptr) return;
  const std::scoped_lock lock(mutex_);
  const std::string kind = std::string(folder) + (is_embedding(request)    ? "/embeddings"
                                                  : is_completion(request) ? "/completions"
                                                                           : "/chat");
  std::ofstream(kind + "_request", std::ios::app) << request << '\n';
  std::ofstream(kind + "_response", std::ios::app) << response << '\n';
}

std::string Server::answer(const std::string& body, const Behaviour& behaviour) const {
  if (is_embedding(body) && behaviour != "error200") return embeddings_reply(body, behaviour);
  if (is_completion(body)) return probabilities_reply(body, behaviour);
  Asked asked = read_question(user_message(body));
  if (const auto context = context_of(behaviour)) asked.passage = seen(*context, body, asked.passage);
  std::vector<int> by_seed;
  {
    const std::scoped_lock lock(mutex_);
    by_seed = ratings_;
  }
  Json ratings = Json::array();
  const std::string passage = one_line(asked.passage);
  const int wanted = behaviour == "obey" ? wanted_rating(passage) : 0;
  for (std::size_t i = 0; i < asked.claims.size(); ++i) {
    int rating = wanted > 0 ? wanted : says_all(passage, one_line(asked.claims[i])) ? 1 : 3;
    if (behaviour == "neighbours") rating = rating_among(passage, asked.claims, i);
    const Json json = Json::parse(body);
    if (!by_seed.empty() && json.contains("seed")) rating = by_seed[json["seed"].get<std::size_t>() % by_seed.size()];
    ratings.push_back({{"claim", i + 1}, {"reason", "as the stub sees it"}, {"rating", rating}});
  }
  if (behaviour == "rating-4") ratings.back()["rating"] = 4;
  if (behaviour == "rating-string") ratings.back()["rating"] = "3";
  if (behaviour == "rating-float") ratings.back()["rating"] = 2.7;
  if (behaviour == "rating-true") ratings.back()["rating"] = true;
  if (behaviour == "missing-claim") ratings.erase(ratings.size() - 1);
  if (behaviour == "repeat-claim") ratings.push_back(ratings.back());
  if (behaviour == "unknown-claim") ratings.back()["claim"] = 99;
  std::string content = Json{{"ratings", ratings}}.dump();
  if (const auto other = text_answer(body, asked.passage, behaviour)) {
    if (other->empty()) return completion(Json(), "stop", "I cannot help with that.");
    content = *other;
  }
  if (behaviour == "duplicate-key") content.insert(1, R"("ratings":[],)");
  if (behaviour == "no-ratings") content = "{}";
  if (behaviour == "not-json") content = "I think the claim is supported.";
  if (behaviour == "fenced") content = "```json\n" + content + "\n```";
  if (behaviour == "think") content = "<think>hm, {1}</think>\n" + content;
  if (behaviour == "empty-content") content.clear();
  if (behaviour == "null-content") return completion(Json());
  if (behaviour == "refused") return completion(Json(), "stop", "I cannot help with that.");
  if (behaviour == "eos" || behaviour == "end_turn") return completion(content, behaviour);
  if (behaviour == "wrapped") content = "Here is the answer:\n```json\n" + content + "\n```\nI hope this helps.";
  if (behaviour == "reply-key-twice") return R"({"choices":[],)" + completion(content).substr(1);
  if (behaviour == "length") return completion(content.substr(0, content.size() / 2), "length");
  if (behaviour == "content-filter") return completion("", "content_filter");
  if (behaviour == "tool-calls") return completion(content, "tool_calls");
  if (behaviour == "no-choices") return R"({"id":"stub","choices":[]})";
  if (behaviour == "error200")
    return error_body("the engine broke while it looked at " + asked.passage, "server_error");
  return completion(content);
}

// False: the connection is over.
bool Server::reply(int socket, const Behaviour& behaviour, const std::string& body) {
  const std::optional<Context> context = context_of(behaviour);
  std::string whole = answer(body, behaviour);
  if (context) whole = counted(*context, body, whole);
  log(body, whole);
  const auto finish = [&](const std::string& bytes, bool open) {
    send_all(socket, bytes);
    if (!open) ::shutdown(socket, SHUT_RDWR);
    return open;
  };
  const auto error = [&](const std::string& status, const std::string& message, const std::string& code,
                         const std::string& more = "") {
    const std::string text = error_body(message, code);
    return finish(head(status, text.size(), more) + text, true);
  };
  std::string imitated;
  {
    const std::scoped_lock lock(mutex_);
    imitated = imitated_;
  }
  if (!imitated.empty()) {
    if (const auto refused = refused_by(imitated, last_headers(), body)) {
      return finish(head(refused->status, refused->body.size()) + refused->body, true);
    }
  }
  const std::string half = whole.substr(0, whole.size() / 2);
  if (behaviour == "500" || behaviour == "502" || behaviour == "504" || behaviour == "408") {
    return error(behaviour + " Trouble", "trouble", "server_error");
  }
  if (context && context->refuses && tokens_of(body) > context->tokens) {
    return error("400 Bad", "maximum context length exceeded", "context_length_exceeded");
  }
  if (behaviour == "502-bare") return finish(head("502 Bad Gateway", 0), true);
  if (behaviour == "503") return error("503 Busy", "too many requests", "overloaded");
  if (behaviour == "503-loading") return error("503 Loading", "Loading model", "unavailable_error");
  if (behaviour == "429") return error("429 Slow", "slow down", "rate_limit_exceeded");
  if (behaviour == "429-after-1") return error("429 Slow", "slow down", "rate_limit_exceeded", "Retry-After: 1\r\n");
  if (behaviour == "429-quota") return error("429 Quota", "You exceeded your current quota", "insufficient_quota");
  if (behaviour == "400") return error("400 Bad", "bad message: " + user_message(body), "invalid_request_error");
  if (behaviour == "401") return error("401 No", "Incorrect API key provided: " + last_headers(), "invalid_api_key");
  if (behaviour == "403") return error("403 No", "no permission", "forbidden");
  if (behaviour == "404") return error("404 No", "The model does not exist", "model_not_found");
  if (behaviour == "redirect") return error("307 Elsewhere", "there", "moved", "Location: http://127.0.0.1:9/v1\r\n");
  if (behaviour == "204") return finish("HTTP/1.1 204 Nothing\r\n\r\n", true);
  if (behaviour == "close-before") return finish("", false);
  if (behaviour == "reset") {
    const linger now = {1, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    return false;
  }
  if (behaviour == "close-mid") return finish(head("200 OK", whole.size()) + half, false);
  if (behaviour == "close-no-length") return finish("HTTP/1.1 200 OK\r\n\r\n" + half, false);
  if (behaviour == "chunked" || behaviour == "chunked-cut") {
    const std::string begin = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(half);
    if (behaviour == "chunked-cut") return finish(begin, false);
    return finish(begin + chunk(whole.substr(half.size())) + "0\r\n\r\n", true);
  }
  if (behaviour == "close-idle") {  // promises to stay, and goes when the next request comes
    send_all(socket, head("200 OK", whole.size()) + whole);
    char one = 0;
    (void)::recv(socket, &one, 1, MSG_PEEK);
    const linger now = {1, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    return false;
  }
  if (behaviour == "garbage") return finish("what do you want\r\n\r\n", false);
  if (behaviour == "gzip" || behaviour == "gzip-broken") {
    const std::string packed = behaviour == "gzip" ? gzipped(whole) : "not gzip";
    return finish(head("200 OK", packed.size(), "Content-Encoding: gzip\r\n") + packed, true);
  }
  if (behaviour == "html") return finish(head("200 OK", 13) + "<html></html>", true);
  if (behaviour == "huge") {
    const std::string much(std::size_t{5} << 20U, ' ');
    return finish(head("200 OK", much.size()) + much, false);
  }
  if (behaviour == "truncated-json") return finish(head("200 OK", half.size()) + half, true);
  if (behaviour == "empty") return finish(head("200 OK", 0), true);
  if (behaviour == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(1'500));
  return finish(head("200 OK", whole.size()) + whole, true);
}

}  // namespace residue::stub
