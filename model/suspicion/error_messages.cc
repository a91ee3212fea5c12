#include "model/suspicion/error_messages.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "base/ascii.h"
#include "model/replies/answer_words.h"

namespace residue::model {
namespace {

constexpr std::size_t kLongest = 2000;  // bytes of a message, a traceback included
constexpr std::size_t kHead = 160;
constexpr std::size_t kShort = 60;

// What nothing but a message begins with.
constexpr std::string_view kOpenings[] = {
    "traceback (most recent call last)",
    "internal server error",
    "bad gateway",
    "service unavailable",
    "gateway timeout",
    "gateway time-out",
    "too many requests",
    "rate limit exceeded",
    "rate limit reached",
    "quota exceeded",
    "you exceeded your current quota",
    "resource exhausted",
    "resource_exhausted",
    "deadline exceeded",
    "deadline_exceeded",
    "openai.",
    "anthropic.",
    "connection refused",
    "connection timed out",
    "connection reset by peer",
    "connection aborted",
    "remote end closed connection",
    "request timed out",
    "the request timed out",
    "operation timed out",
    "the operation timed out",
    "read timed out",
    "max retries exceeded",
    "httpconnectionpool(",
    "httpsconnectionpool(",
    "cuda out of memory",
    "cuda error",
    "out of memory:",
    "upstream connect error",
    "upstream request timeout",
    "errno ",
    "the server is temporarily",
    "the service is temporarily",
    "service temporarily unavailable",
    "request blocked",
    "the response was filtered",
    "response was blocked",
    "token limit exceeded",
    "std::bad_alloc",
    "terminate called after throwing",
    "undefined method",
    "goroutine 1 [",
    "could not process the",
    "could not process document",
    "could not process record",
    "invalid response from",
    "context_length_exceeded",
    "context length exceeded",
    "maximum context length",
    "this model's maximum context length",
    "the model is overloaded",
    "the model is currently overloaded",
    "the server is overloaded",
    "the server had an error",
    "invalid api key",
    "incorrect api key",
    "invalid json",
    "unexpected token",
    "unexpected end of json",
    "expecting value: line",
    "no such file or directory",
    "segmentation fault",
    "exception in thread",
    "unhandled exception",
    "uncaught exception",
    "uncaught typeerror",
    "uncaught (in promise)",
    "'nonetype' object",
    "list index out of range",
    "cannot read propert",
    "panic: runtime error",
    "thread 'main' panicked",
    "fatal error: runtime",
    "an error occurred",
    "an unexpected error",
    "an internal error",
    "an unknown error",
    "error processing",
    "error while processing",
    "error calling",
    "error occurred",
    "internal error",
    "something went wrong",
    "failed to process the",
    "failed to process record",
    "failed to process document",
    "failed to parse",
    "failed to connect to",
    "failed to generate",
    "failed to anonymize",
    "failed to sanitize",
    "failed to fetch",
    "content filter",
    "content_filter",
    "responsibleaipolicyviolation",
};

// What is a message where it is all there is, whatever numbers and signs stand around it.
constexpr std::string_view kWhole[] = {
    "error",
    "an error",
    "exception",
    "failure",
    "failed",
    "request failed",
    "processing failed",
    "timeout",
    "time out",
    "timed out",
    "request timeout",
    "not found",
    "page not found",
    "forbidden",
    "unauthorized",
    "access denied",
    "permission denied",
    "method not allowed",
    "bad request",
    "server error",
    "unknown error",
    "network error",
    "connection error",
    "connection lost",
    "api error",
    "model error",
    "processing error",
    "parse error",
    "syntax error",
    "validation error",
    "runtime error",
    "no response",
    "no response from model",
    "empty response",
    "no output",
    "unprocessable entity",
    "model not found",
    "input too long",
    "text too long",
    "prompt too long",
    "out of memory",
    "rate limit",
    "rate limited",
    "killed",
    "aborted",
    "core dumped",
    "overloaded",
    "overloaded_error",
    "socket hang up",
    "fetch failed",
    "econnrefused",
    "econnreset",
    "etimedout",
    "broken pipe",
    "stack overflow",
    "invalid request",
    "invalid input",
    "payload too large",
    "content filtered",
};

// Words of programs, one of which a sentence behind "Error:" has.
constexpr std::string_view kOfPrograms[] = {"timeout",
                                            "timed out",
                                            "rate limit",
                                            "api",
                                            "token",
                                            "request",
                                            "response",
                                            "server",
                                            "model",
                                            "json",
                                            "null",
                                            "quota",
                                            "http",
                                            "connection",
                                            "exception",
                                            "context length",
                                            "memory",
                                            "invalid",
                                            "undefined",
                                            "parse",
                                            "unsupported",
                                            "not found",
                                            "denied",
                                            "failed to",
                                            "input",
                                            "output",
                                            "could not process",
                                            "unexpected",
                                            "unknown error",
                                            "processing"};

bool has_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}
bool begins_with(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.starts_with(word); });
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void drop_front(std::string_view& text, std::string_view signs) {
  text.remove_prefix(std::min(text.find_first_not_of(signs), text.size()));
}

// "429 Too Many Requests", "HTTP 502: Bad Gateway", "Error code: 429 - {...", "Error 500".
bool is_status(std::string_view text) {
  bool named = false;
  for (const std::string_view before : {"error code", "status code", "error status", "http error", "http/1.1", "http/2",
                                        "http status", "http", "status", "server error", "error"}) {
    if (!text.starts_with(before)) continue;
    named = true;
    text.remove_prefix(before.size());
    drop_front(text, " \t:-=#");
    if (text.starts_with("code")) text.remove_prefix(4);
    drop_front(text, " \t:-=#");
    break;
  }
  if (text.size() < 3 || (text[0] != '4' && text[0] != '5') || !is_digit(text[1]) || !is_digit(text[2])) return false;
  text.remove_prefix(3);
  if (!text.empty() && (is_digit(text[0]) || is_letter(text[0]))) return false;
  drop_front(text, " \t\n\r.:-!()|");
  if (text.empty()) return named;  // alone it is a number
  static constexpr std::string_view kPhrases[] = {"bad request",
                                                  "unauthorized",
                                                  "payment required",
                                                  "forbidden",
                                                  "not found",
                                                  "request timeout",
                                                  "timeout",
                                                  "too many requests",
                                                  "internal server",
                                                  "bad gateway",
                                                  "service unavail",
                                                  "gateway time",
                                                  "payload too large",
                                                  "method not allowed",
                                                  "{",
                                                  "client error",
                                                  "server error",
                                                  "unprocessable entity",
                                                  "gone"};
  return begins_with(text, kPhrases) || (named && has_any(text, kOfPrograms));
}

// "KeyError: 'choices'", "requests.exceptions.ReadTimeout: ...", "java.lang.NullPointerException".
bool is_exception(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(": (\n\r\t,"), text.size());
  std::string_view name = text.substr(0, end);
  const std::string_view rest = text.substr(end);
  while (name.ends_with('.') || name.ends_with('!')) name.remove_suffix(1);
  const bool word = !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_alpha(c) || is_digit(c) || c == '.' || c == '_' || c == '$';
  });
  if (!word) return false;
  if (!rest.empty() && rest[0] == ' ' && !rest.starts_with(" at ") && !rest.starts_with(" in ")) return false;
  for (const std::string_view suffix : {"Error", "Exception", "Timeout", "Fault", "_error", "Interrupt"}) {
    if (!name.ends_with(suffix) || name.size() == suffix.size()) continue;
    const std::string_view before = name.substr(0, name.size() - suffix.size());
    return before.find('.') != std::string_view::npos || suffix[0] == '_' || is_lower(before.back()) ||
           is_upper(before.back());
  }
  return false;
}

// A page of a server or of what stands before it.
bool is_page(std::string_view lower) {
  static constexpr std::string_view kPages[] = {"<!doctype html", "<html", "<head>", "<title>"};
  if (begins_with(lower, kPages)) return true;
  static constexpr std::string_view kFailed[] = {"<error>", "accessdenied", "<code>", "<fault"};
  return lower.starts_with("<?xml") && has_any(lower, kFailed);
}

// {"error": ...}, {'detail': 'Not Found'}, {"status": 500, ...}.
bool is_object(std::string_view lower) {
  std::string text;
  for (const char c : lower) {
    if (!is_space(c)) text.push_back(c == '\'' ? '"' : c);
  }
  std::string_view object = text;
  if (object.starts_with('[')) object.remove_prefix(1);
  static constexpr std::string_view kNamed[] = {"{\"error",
                                                "{\"detail\"",
                                                "{\"exception",
                                                "{\"fault",
                                                "{\"status\":\"error",
                                                "{\"status\":\"fail",
                                                "{\"status\":4",
                                                "{\"status\":5",
                                                "{\"code\":4",
                                                "{\"code\":5",
                                                "{\"statuscode\":4",
                                                "{\"statuscode\":5",
                                                "{\"type\":\"error",
                                                "{\"success\":false",
                                                "{\"ok\":false",
                                                "{\"object\":\"error",
                                                "{\"traceback"};
  if (begins_with(object, kNamed)) return true;
  static constexpr std::string_view kFailing[] = {"error",     "notfound",     "forbidden",       "timeout", "timedout",
                                                  "ratelimit", "unauthorized", "toomanyrequests", "endpoint"};
  return object.starts_with("{\"message\"") && object.size() < 200 && has_any(object, kFailing);
}

// The words of a short text, without numbers and signs around them.
std::string bare_words(std::string_view lower) {
  std::string out;
  for (const char c : lower) {
    if (is_letter(c) || c == '_') {
      out.push_back(c);
    } else if (!is_digit(c) && !out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

// "Processing of record 5 failed": a few words that begin with what was done and say that it was in vain.
bool says_in_vain(std::string_view words) {
  static constexpr std::string_view kDone[] = {"processing",    "request",      "job ",       "task ",
                                               "anonymization", "sanitization", "redaction ", "anonymisation ",
                                               "call to ",      "api call"};
  return std::ranges::count(words, ' ') < 6 && begins_with(words, kDone) &&
         (words.ends_with(" failed") || words.ends_with(" error") || words.ends_with(" timed out"));
}

// "Error: ..." of a program: what follows speaks of programs.
bool names_error(std::string_view head) {
  static constexpr std::string_view kNames[] = {"error:", "exception:", "error ", "error]", "fatal:", "fatal error:",
                                                "err:",   "error -",    "panic:", "error>", "error*"};
  return begins_with(head, kNames) && has_any(head, kOfPrograms);
}

}  // namespace

bool is_error_message(std::string_view text) {
  if (text.size() > kLongest) return false;
  drop_front(text, " \t\r\n");
  if (text.empty()) return false;
  const std::string lower = model::lower(text);
  if (is_page(lower) || is_object(std::string_view(lower).substr(0, kHead * 2))) return true;
  std::string_view said = text, head = lower;
  // "[ERROR] ...", "**Error:** ...", "2024-03-01 10:00:00 ERROR ...".
  const std::size_t begin = head.find_first_of("abcdefghijklmnopqrstuvwxyz'");
  const bool dated = begin != std::string_view::npos && begin >= 10 && head.substr(begin).starts_with("error");
  const std::size_t skipped = dated ? begin : std::min(head.find_first_not_of("[(<*#\"`>!_ "), head.size());
  said.remove_prefix(skipped);
  head = head.substr(skipped, kHead);
  if (begins_with(head, kOpenings) || is_status(head) || is_exception(said) || names_error(head)) return true;
  if (lower.size() >= kShort) return false;
  const std::string words = bare_words(head);
  return std::ranges::find(kWhole, words) != std::end(kWhole) || says_in_vain(words);
}

}  // namespace residue::model
