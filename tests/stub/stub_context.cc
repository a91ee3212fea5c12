#include "tests/stub/stub_context.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace residue::stub {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kBytesPerToken = 4;

}  // namespace

std::optional<Context> context_of(const std::string& behaviour) {
  Context context;
  if (behaviour == "counted") return context;
  if (behaviour == "counts-0" || behaviour == "counts-minus-1") {
    context.says = behaviour == "counts-0" ? 0 : -1;
    return context;
  }
  if (behaviour.starts_with("long-")) {
    context.answer = std::stoul(behaviour.substr(5));
    return context;
  }
  if (!behaviour.starts_with("context-")) return std::nullopt;
  context.tokens = std::stoul(behaviour.substr(8));
  context.silent = behaviour.ends_with("-silent");
  context.refuses = behaviour.ends_with("-refused");
  return context;
}

std::size_t tokens_of(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) return 0;
  std::size_t bytes = 0;
  if (json.contains("messages")) {
    for (const Json& message : json["messages"]) bytes += message["content"].get<std::string>().size();
  } else if (json.contains("input")) {
    for (const Json& text : json["input"]) bytes += text.get<std::string>().size();
  }
  return (bytes + kBytesPerToken - 1) / kBytesPerToken;
}

std::string seen(const Context& context, const std::string& body, const std::string& passage) {
  const std::size_t tokens = tokens_of(body);
  if (!context.tokens || tokens <= *context.tokens) return passage;
  return passage.substr(std::min(passage.size(), (tokens - *context.tokens) * kBytesPerToken));
}

std::string counted(const Context& context, const std::string& body, const std::string& reply) {
  Json json = Json::parse(reply, nullptr, false);
  if (!json.is_object()) return reply;
  const std::size_t tokens = std::min(tokens_of(body), context.tokens.value_or(SIZE_MAX));
  json["usage"] = {
      {"prompt_tokens", tokens}, {"completion_tokens", context.answer}, {"total_tokens", tokens + context.answer}};
  if (context.says) json["usage"] = {{"prompt_tokens", *context.says}, {"completion_tokens", 0}};
  if (context.silent) json.erase("usage");
  return json.dump();
}

}  // namespace residue::stub
