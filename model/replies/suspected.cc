#include "model/replies/suspected.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/replies/refusal.h"

namespace residue::model {
namespace {

constexpr std::size_t kLongestMessage = 2000;  // bytes of an error message, a traceback included
constexpr std::size_t kLongestNothing = 20;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

bool is_nothing(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kWords = {
      "nan", "none", "null", "nil", "n/a", "#n/a", "#value!", "undefined", "[object object]", "<na>", "\\n", "(null)"};
  if (text.size() > kLongestNothing) return false;
  std::string word = lowered(text);
  if (word.size() > 2 && (word.front() == '"' || word.front() == '\'') && word.back() == word.front()) {
    word = word.substr(1, word.size() - 2);
  }
  if (word.ends_with('.')) word.pop_back();
  return std::ranges::find(kWords, word) != kWords.end();
}

// "429 Too Many Requests", "HTTP 502: Bad Gateway", "Error code: 429 - {...".
bool is_status(std::string_view text) {
  for (const std::string_view before : {"error code:", "error code", "status code:", "status code", "http error",
                                        "http/1.1", "http status", "http", "error"}) {
    if (!text.starts_with(before)) continue;
    text.remove_prefix(before.size());
    while (!text.empty() && (is_space(text.front()) || text.front() == ':' || text.front() == '-'))
      text.remove_prefix(1);
    break;
  }
  if (text.size() < 3 || (text[0] != '4' && text[0] != '5') || !is_digit(text[1]) || !is_digit(text[2])) return false;
  text.remove_prefix(3);
  if (text.empty()) return false;  // a number
  static constexpr std::array<std::string_view, 14> kPhrases = {
      "bad request", "unauthorized",        "payment required",  "forbidden",
      "not found",   "request timeout",     "too many requests", "internal server error",
      "bad gateway", "service unavailable", "gateway time",      "payload too large",
      "{",           "client error"};
  while (!text.empty() && (is_space(text.front()) || text.front() == ':' || text.front() == '-')) text.remove_prefix(1);
  return std::ranges::any_of(kPhrases, [&](std::string_view phrase) { return text.starts_with(phrase); });
}

bool is_message(std::string_view text) {
  if (text.size() > kLongestMessage) return false;
  static constexpr std::array<std::string_view, 30> kOpenings = {"traceback (most recent call last)",
                                                                 "internal server error",
                                                                 "bad gateway",
                                                                 "service unavailable",
                                                                 "gateway timeout",
                                                                 "gateway time-out",
                                                                 "too many requests",
                                                                 "rate limit exceeded",
                                                                 "rate limit reached",
                                                                 "ratelimiterror",
                                                                 "apierror",
                                                                 "apiconnectionerror",
                                                                 "apitimeouterror",
                                                                 "openai.error.",
                                                                 "openai.",
                                                                 "anthropic.",
                                                                 "connection refused",
                                                                 "connection timed out",
                                                                 "connection reset by peer",
                                                                 "connectionerror",
                                                                 "request timed out",
                                                                 "read timed out",
                                                                 "cuda out of memory",
                                                                 "cuda error",
                                                                 "{\"error\"",
                                                                 "{'error'",
                                                                 "<!doctype html",
                                                                 "upstream connect error",
                                                                 "context_length_exceeded",
                                                                 "invalid api key"};
  const std::string head = lowered(text.substr(0, 120));
  if (std::ranges::any_of(kOpenings, [&](std::string_view opening) { return head.starts_with(opening); })) return true;
  if (is_status(head)) return true;
  // "Error: ..." of a program: what follows speaks of programs.
  const bool names_error = head.starts_with("error:") || head.starts_with("exception:") ||
                           head.starts_with("[error]") || head.starts_with("error ") || head.starts_with("fatal:");
  if (!names_error) return false;
  static constexpr std::array<std::string_view, 16> kOfPrograms = {
      "timeout", "timed out", "rate limit", "api",   "token", "request",    "response",  "server",
      "model",   "json",      "null",       "quota", "http",  "connection", "exception", "context length"};
  return std::ranges::any_of(kOfPrograms, [&](std::string_view word) { return head.find(word) != std::string::npos; });
}

}  // namespace

std::string_view words_of(Suspicion suspicion) {
  switch (suspicion) {
    case Suspicion::kRefusal:
      return "a refusal";
    case Suspicion::kErrorMessage:
      return "an error message";
    case Suspicion::kNothing:
      return "a word for nothing";
  }
  return "";
}

std::optional<Suspicion> looks_failed(std::string_view words) {
  const std::string_view text = trimmed(words);
  if (is_nothing(text)) return Suspicion::kNothing;
  if (is_message(text)) return Suspicion::kErrorMessage;
  if (declines(text)) return Suspicion::kRefusal;
  return std::nullopt;
}

std::optional<Suspicion> suspected_failure(std::string_view words, std::string_view source) {
  const auto looks = looks_failed(words);
  if (looks == Suspicion::kRefusal) return declines_to_reword(words, source) ? looks : std::nullopt;
  if (!looks || looks_failed(source) == looks) return std::nullopt;
  return looks;
}

}  // namespace residue::model
