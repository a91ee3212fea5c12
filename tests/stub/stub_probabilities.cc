#include "tests/stub/stub_probabilities.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace residue::stub {
namespace {

using Json = nlohmann::json;

std::vector<std::string> tokens_of(const std::string& prompt) {
  std::vector<std::string> tokens;
  for (const char c : prompt) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool fits = !tokens.empty() && letter && tokens.back().size() < 4 && tokens.back().back() != '\n' &&
                      (tokens.back() == " " || std::isalnum(static_cast<unsigned char>(tokens.back().back())) != 0);
    if (fits) {
      tokens.back() += c;
    } else {
      tokens.emplace_back(1, c);
    }
  }
  return tokens;
}

bool begins_with_capital(const std::string& token) {
  const char c = token[token[0] == ' ' && token.size() > 1 ? 1 : 0];
  return c >= 'A' && c <= 'Z';
}

}  // namespace

bool is_completion(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  return json.is_object() && json.contains("prompt");
}

std::string probabilities_reply(const std::string& body, const std::string& behaviour) {
  const auto prompt = Json::parse(body)["prompt"].get<std::string>();
  Json tokens = Json::array(), logs = Json::array(), offsets = Json::array();
  std::size_t at = 0;
  const auto put = [&](const std::string& token, const Json& log) {
    tokens.push_back(token);
    logs.push_back(log);
    offsets.push_back(at);
  };
  for (const std::string& token : tokens_of(prompt)) {
    const double log =
        (begins_with_capital(token) ? -4.0 : -1.0) * (prompt.rfind("[REDACTED]", at) != std::string::npos ? 2 : 1);
    put(token, at == 0 ? Json() : Json(log));
    at += token.size();
  }
  put(" and", -0.5);  // what it made up
  Json choice = {{"index", 0},
                 {"text", prompt + " and"},
                 {"finish_reason", "length"},
                 {"logprobs", {{"tokens", tokens}, {"token_logprobs", logs}, {"text_offset", offsets}}}};
  if (behaviour == "null-content") choice["logprobs"] = nullptr;
  return Json{{"object", "text_completion"},
              {"model", "stub-model"},
              {"choices", Json::array({choice})},
              {"usage", {{"prompt_tokens", tokens.size()}, {"completion_tokens", 1}}}}
      .dump();
}

}  // namespace residue::stub
