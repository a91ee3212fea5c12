#include "model/server/server_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "model/replies/answer_words.h"

namespace residue::model {
namespace {

constexpr int kHttpsPort = 443;
constexpr int kHttpPort = 80;

bool all_of(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

int number(std::string_view digits, int limit) {
  int value = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > limit) return -1;
  return value;
}

// 127.a.b.c in plain decimal: other spellings of an address may be read otherwise by who connects.
bool is_loopback_v4(std::string_view host) {
  int parts = 0;
  while (true) {
    const std::size_t dot = host.find('.');
    const std::string_view part = host.substr(0, dot);
    const int value = part.size() > 1 && part.front() == '0' ? -1 : number(part, 255);
    if (value < 0 || (parts == 0 && value != 127)) return false;
    ++parts;
    if (dot == std::string_view::npos) return parts == 4;
    host.remove_prefix(dot + 1);
  }
}

bool is_version(std::string_view segment) {
  return segment.size() >= 2 && segment.front() == 'v' && segment[1] >= '0' && segment[1] <= '9' &&
         all_of(segment.substr(1), "0123456789abcdefghijklmnopqrstuvwxyz");
}

constexpr std::string_view kDeployment = "/openai/deployments/";

bool is_deployment(std::string_view path) {
  const std::size_t at = path.find(kDeployment);
  if (at == std::string_view::npos) return false;
  const std::string_view name = path.substr(at + kDeployment.size());
  return !name.empty() && name.find('/') == std::string_view::npos;
}

// Where the interface stands behind a version and its name: "/v1beta/openai".
bool is_named_version(std::string_view path) {
  constexpr std::string_view kName = "/openai";
  if (!path.ends_with(kName)) return false;
  path.remove_suffix(kName.size());
  return is_version(path.substr(path.rfind('/') + 1));
}

struct Refusal {
  std::string_view what;
  [[noreturn]] void operator()(const char* why, const char* remedy) const {
    throw Error(Code::kUsage, fmt::format("{}: {}", what, why), remedy);
  }
};

// "/v1/chat": a version in front of what is left.
bool has_version(std::string_view path) {
  for (std::size_t at = 0; at != std::string_view::npos; at = path.find('/', at + 1)) {
    const std::string_view rest = path.substr(std::min(at + 1, path.size()));
    if (is_version(rest.substr(0, rest.find('/')))) return true;
  }
  return false;
}

// What stands behind the interface's own path: calls of it, and others that are pasted like them.
struct Call {
  std::string_view path;
  const char* why;  // it cannot be used; null: what the address is without it is meant
};
constexpr Call kCalls[] = {
    {"/chat/completions", nullptr},
    {"/embeddings", nullptr},
    {"/models", nullptr},
    {"/responses", "the interface of responses: texts are asked about by chat completions"},
    {"/completions", nullptr},
    {"/messages", "the interface of messages: texts are asked about by chat completions"},
    {"/api/chat", "an interface of the server's own: texts are asked about by chat completions"},
    {"/api/generate", "an interface of the server's own: texts are asked about by chat completions"},
    {"/api/tags", "an interface of the server's own: texts are asked about by chat completions"},
};

// Without a call of the interface; refuses calls of others.
std::string_view without_call(std::string_view path, const Refusal& refuse) {
  for (const Call& call : kCalls) {
    if (!path.ends_with(call.path)) continue;
    if (call.why != nullptr) refuse(call.why, "give the address up to /v1, for example http://localhost:8000/v1");
    return path.substr(0, path.size() - call.path.size());
  }
  if (path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent")) {
    refuse("an interface of the server's own: texts are asked about by chat completions",
           "https://generativelanguage.googleapis.com/v1beta/openai, or --preset gemini");
  }
  return path;
}

std::string base_path(std::string_view path, const Refusal& refuse) {
  while (path.ends_with('/')) path.remove_suffix(1);
  const std::string_view before = without_call(path, refuse);
  if (before.size() < path.size()) return std::string(before);
  if (is_version(path.substr(path.rfind('/') + 1)) || is_named_version(path) || is_deployment(path)) {
    return std::string(path);
  }
  if (has_version(path)) {
    refuse("something that is not known stands behind the version",
           "give the address up to the version, for example http://localhost:8000/v1");
  }
  return std::string(path) + "/v1";
}

// Nothing else may stand behind a "?": it would be kept, and may be a key.
bool is_api_version(std::string_view query) {
  constexpr std::string_view kName = "api-version=";
  return query.starts_with(kName) && all_of(query.substr(kName.size()), "0123456789abcdefghijklmnopqrstuvwxyz-.");
}

// Scheme, host and port of an address. `rest`: what stands behind them.
ServerUrl authority_of(std::string_view text, const Refusal& refuse, std::string_view& rest) {
  for (const char c : text) {
    if (c <= ' ' || c == '\x7f') refuse("a space or control character", "for example https://models.example.org/v1");
  }
  const std::size_t colon = text.find("://");
  if (colon == std::string_view::npos) refuse("no http:// or https://", "for example http://localhost:8000/v1");
  const std::string scheme = lower(text.substr(0, colon));
  if (scheme != "http" && scheme != "https") {
    refuse("neither http:// nor https://", "for example https://models.example.org/v1");
  }
  rest = text.substr(colon + 3);
  const std::size_t slash = rest.find_first_of("/?#");
  std::string_view authority = rest.substr(0, slash);
  rest = slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
  if (authority.find('@') != std::string_view::npos) {
    refuse("a user name or password", "keys come from --api-key-file or --api-key-env");
  }
  ServerUrl url;
  bool v6 = false;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    v6 = end != std::string_view::npos && all_of(authority.substr(1, end - 1), "0123456789abcdefABCDEF:.");
    if (!v6) refuse("a malformed IPv6 address", "for example http://[::1]:8000");
    url.host = lower(authority.substr(1, end - 1));
    authority.remove_prefix(end + 1);
  } else {
    const std::size_t end = authority.find(':');
    url.host = lower(authority.substr(0, end));
    authority.remove_prefix(std::min(end, authority.size()));
    if (url.host.ends_with('.')) url.host.pop_back();  // the same name, written from the root
    // Names with an empty label are nobody's, and taking one dot away would make another name of them each time.
    const bool empty_label =
        url.host.starts_with('.') || url.host.ends_with('.') || url.host.find("..") != std::string::npos;
    if (empty_label || !all_of(url.host, "abcdefghijklmnopqrstuvwxyz0123456789.-_")) {
      refuse("a malformed host", "for example https://models.example.org/v1");
    }
  }
  const int standard = scheme == "https" ? kHttpsPort : kHttpPort;
  url.port = standard;
  if (!authority.empty()) {
    url.port = authority.front() == ':' ? number(authority.substr(1), 65'535) : -1;
    if (url.port < 1) refuse("a malformed port", "for example http://localhost:8000/v1");
  }
  url.loopback = url.host == "localhost" || (v6 ? url.host == "::1" : is_loopback_v4(url.host));
  url.base = scheme + "://" + (v6 ? "[" + url.host + "]" : url.host);
  if (url.port != standard) url.base += ":" + std::to_string(url.port);
  return url;
}

}  // namespace

std::string receiver_name(const ServerUrl& url) {
  return url.proxy.empty() ? url.host : fmt::format("{} via {}", url.host, url.proxy);
}

ServerUrl parse_server_url(std::string_view text, std::string_view what) {
  const Refusal refuse{what};
  std::string_view path;
  ServerUrl url = authority_of(text, refuse, path);
  const std::size_t mark = path.find_first_of("?#");
  if (mark != std::string_view::npos) {
    url.query = path.substr(mark + 1);
    if (path[mark] != '?' || !is_api_version(url.query)) {
      refuse("a query or fragment", "give the address up to /v1; keys come from --api-key-file or --api-key-env");
    }
    path = path.substr(0, mark);
  }
  if (url.base.starts_with("http://") && !url.loopback) {
    refuse("http:// to another machine would send texts unprotected", "use https://; http:// is for this machine only");
  }
  url.base += base_path(path, refuse);
  return url;
}

ServerUrl parse_proxy_url(std::string_view text) {
  const Refusal refuse{"--proxy"};
  constexpr const char* kExample = "for example http://proxy.example.org:3128";
  const std::size_t colon = text.find("://");
  const std::string scheme = lower(text.substr(0, colon == std::string_view::npos ? 0 : colon));
  if (scheme != "http" && scheme != "https") refuse("neither http:// nor https://", kExample);
  std::string_view path;
  ServerUrl url = authority_of(text, refuse, path);
  if (!path.empty() && path != "/") refuse("a path, query or fragment", kExample);
  // Proxies stand at ports of their own, and what a missing one means differs from program to program.
  std::string_view authority = text.substr(colon + 3);
  authority = authority.substr(0, authority.find('/'));
  const std::size_t last = authority.rfind(':');
  if (last == std::string_view::npos || authority.find(']', last) != std::string_view::npos) {
    refuse("no port", kExample);
  }
  const bool v6 = url.host.find(':') != std::string::npos;
  url.base = fmt::format("{}://{}:{}", scheme, v6 ? "[" + url.host + "]" : url.host, url.port);
  return url;
}

ServerUrl stored_proxy(std::string_view base) {
  std::string_view path;
  return authority_of(base, Refusal{"--proxy"}, path);
}

}  // namespace residue::model
