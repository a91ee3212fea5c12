#include "tests/stub/stub_presets.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

namespace residue::stub {
namespace {

using Json = nlohmann::json;

// The fields of the OpenAI reference for Chat Completions that a client of ours might send.
const std::set<std::string>& known_fields() {
  static const std::set<std::string> all = {"model",
                                            "messages",
                                            "stream",
                                            "temperature",
                                            "top_p",
                                            "presence_penalty",
                                            "max_tokens",
                                            "frequency_penalty",
                                            "seed",
                                            "reasoning_effort",
                                            "n",
                                            "max_completion_tokens",
                                            "logprobs",
                                            "top_logprobs",
                                            "response_format",
                                            "stream_options",
                                            "stop",
                                            "service_tier",
                                            "metadata",
                                            "user",
                                            "store",
                                            "verbosity",
                                            "tools",
                                            "tool_choice"};
  return all;
}

std::string header(const std::string& head, const std::string& name) {
  std::string lower = head;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::size_t at = lower.find("\r\n" + name + ": ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + 4 + name.size();
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

std::string path_of(const std::string& head) {
  const std::size_t begin = head.find(' ') + 1;
  return head.substr(begin, head.find(' ', begin) - begin);
}

Refused openai(const std::string& status, const std::string& message, const std::string& code) {
  return {status, Json{{"error", {{"message", message}, {"type", "invalid_request_error"}, {"code", code}}}}.dump()};
}
Refused google(const std::string& status, const std::string& message) {
  return {status,
          Json::array({{{"error", {{"code", 400}, {"message", message}, {"status", "INVALID_ARGUMENT"}}}}}).dump()};
}

bool has_bearer(const std::string& head) { return header(head, "authorization").starts_with("Bearer "); }

std::optional<Refused> by_openai(const std::string& head, const Json& body, bool reasons) {
  if (path_of(head) != "/v1/chat/completions") return openai("404 Not Found", "Invalid URL", "not_found");
  if (!has_bearer(head)) return openai("401 Unauthorized", "You didn't provide an API key", "invalid_api_key");
  for (const auto& [name, value] : body.items()) {
    if (!known_fields().contains(name)) {
      return openai("400 Bad Request", "Unrecognized request argument supplied: " + name, "unknown_parameter");
    }
  }
  if (!reasons) return std::nullopt;
  for (const char* name : {"max_tokens", "temperature", "top_p", "presence_penalty", "frequency_penalty", "logprobs"}) {
    if (!body.contains(name)) continue;
    return openai("400 Bad Request",
                  std::string("Unsupported parameter: '") + name + "' is not supported with this model.",
                  "unsupported_parameter");
  }
  return std::nullopt;
}

std::optional<Refused> by_azure(const std::string& head, const Json& body) {
  const std::string path = path_of(head);
  const bool dated =
      path.starts_with("/openai/deployments/") && path.find("/chat/completions?api-version=2") != path.npos;
  if (!dated && path != "/openai/v1/chat/completions") return openai("404 Not Found", "Resource not found", "404");
  if (header(head, "api-key").empty()) return openai("401 Unauthorized", "Access denied", "401");
  for (const auto& [name, value] : body.items()) {
    if (!known_fields().contains(name)) {
      return openai("400 Bad Request", "Unrecognized request argument supplied: " + name, "unknown_parameter");
    }
  }
  return std::nullopt;
}

std::optional<Refused> by_gemini(const std::string& head, const Json& body) {
  if (path_of(head) != "/v1beta/openai/chat/completions") return google("404 Not Found", "Not found");
  if (!has_bearer(head)) return google("400 Bad Request", "Missing or invalid Authorization header.");
  static const std::set<std::string> known = {
      "model",           "messages", "stream", "temperature", "top_p", "max_tokens",      "max_completion_tokens",
      "response_format", "n",        "stop",   "tools",       "user",  "reasoning_effort"};
  for (const auto& [name, value] : body.items()) {
    if (!known.contains(name)) {
      return google("400 Bad Request",
                    "Invalid JSON payload received. Unknown name \"" + name + "\": Cannot find field.");
    }
  }
  if (body.dump().find("additionalProperties") != std::string::npos) {
    return google("400 Bad Request", "Invalid JSON payload received. Unknown name \"additionalProperties\"");
  }
  return std::nullopt;
}

std::optional<Refused> by_mistral(const std::string& head, const Json& body) {
  if (path_of(head) != "/v1/chat/completions") return Refused{"404 Not Found", R"({"detail":"Not Found"})"};
  if (!has_bearer(head)) return Refused{"401 Unauthorized", R"({"detail":"Unauthorized"})"};
  static const std::set<std::string> known = {
      "model",       "messages",        "stream",           "temperature",       "top_p", "max_tokens",
      "random_seed", "response_format", "presence_penalty", "frequency_penalty", "n",     "safe_prompt",
      "stop",        "tools",           "prompt_mode"};
  for (const auto& [name, value] : body.items()) {
    if (known.contains(name)) continue;
    const Json detail = {
        {"type", "extra_forbidden"}, {"loc", {"body", name}}, {"msg", "Extra inputs are not permitted"}};
    return Refused{"422 Unprocessable Entity", Json{{"detail", {detail}}}.dump()};
  }
  return std::nullopt;
}

std::optional<Refused> by_anthropic(const std::string& head, const Json& body) {
  if (path_of(head) != "/v1/chat/completions") return openai("404 Not Found", "Not Found", "not_found_error");
  if (header(head, "x-api-key").empty() || header(head, "anthropic-version").empty()) {
    return openai("401 Unauthorized", "x-api-key header is required", "authentication_error");
  }
  if (body.contains("n") && body["n"] != 1) return openai("400 Bad Request", "n must be 1", "invalid_request_error");
  return std::nullopt;
}

// They pass over what they do not know.
std::optional<Refused> by_a_local_one(const std::string& head) {
  if (path_of(head) == "/v1/chat/completions") return std::nullopt;
  return openai("404 Not Found", "File Not Found", "not_found_error");
}

}  // namespace

const std::vector<std::string>& imitated() {
  static const std::vector<std::string> all = {"openai", "openai-reasoning", "azure",
                                               "gemini", "mistral",          "anthropic-compatible",
                                               "vllm",   "llama.cpp",        "ollama"};
  return all;
}

std::optional<Refused> refused_by(const std::string& name, const std::string& head, const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) return openai("400 Bad Request", "We could not parse the JSON body", "invalid_request_error");
  if (name == "openai" || name == "openai-reasoning") return by_openai(head, json, name == "openai-reasoning");
  if (name == "azure") return by_azure(head, json);
  if (name == "gemini") return by_gemini(head, json);
  if (name == "mistral") return by_mistral(head, json);
  if (name == "anthropic-compatible") return by_anthropic(head, json);
  return by_a_local_one(head);
}

}  // namespace residue::stub
