#include "model/suspicion/suspected.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/suspicion/error_messages.h"
#include "model/replies/meta_answers.h"
#include "model/replies/refusal.h"

namespace residue::model {
namespace {

constexpr std::size_t kLongestNothing = 20;
constexpr std::size_t kLongestRefusal = 600;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

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
  static constexpr std::array<std::string_view, 20> kWords = {
      "nan", "none",   "null", "nil", "n/a", "#n/a",  "#value!",       "undefined", "[object object]", "<na>",
      "\\n", "(null)", "na",   "nat", "n.a", "empty", "not available", "no data",   "no content",      "no text"};
  if (text.size() > kLongestNothing) return false;
  std::string word = lowered(text);
  const auto in = [&word](char open, char close) {
    return word.size() > 2 && word.front() == open && word.back() == close;
  };
  if (in('"', '"') || in('\'', '\'')) word = word.substr(1, word.size() - 2);
  if (word.ends_with('.')) word.pop_back();
  const auto known = [&word] { return std::ranges::find(kWords, word) != kWords.end(); };
  if (known()) return true;
  if (!in('<', '>') && !in('(', ')')) return false;
  word = word.substr(1, word.size() - 2);
  return known();
}

// Refusals in other languages, and those that only speak of the task, are short; most of what authors write is not.
bool may_refuse(std::string_view text) {
  if (declines(text)) return true;
  return text.size() <= kLongestRefusal && speaks_of_the_task(text.substr(0, kLongestRefusal));
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
  if (is_error_message(text)) return Suspicion::kErrorMessage;
  if (may_refuse(text)) return Suspicion::kRefusal;
  return std::nullopt;
}

std::optional<Suspicion> suspected_failure(std::string_view words, std::string_view source) {
  const auto looks = looks_failed(words);
  if (looks == Suspicion::kRefusal) return declines_to_reword(words, source) ? looks : std::nullopt;
  if (!looks || looks_failed(source) == looks) return std::nullopt;
  return looks;
}

}  // namespace residue::model
