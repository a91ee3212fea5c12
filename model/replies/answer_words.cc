#include "model/replies/answer_words.h"

#include <algorithm>

#include "model/replies/asking_words.h"

namespace residue::model {
namespace {

constexpr std::size_t kMostBetween = 6;  // marks between a word and its number
constexpr std::size_t kLongestScale = 24;
constexpr std::size_t kMostDigits = 6;
constexpr std::string_view kAround = " \t*_\"'`";

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

bool begins_with_any(std::string_view text, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return text.starts_with(word); });
}

std::string single_spaced(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') {
      gap = !out.empty();
      continue;
    }
    if (gap) out.push_back(' ');
    gap = false;
    out.push_back(c);
  }
  return out;
}

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const char small = lower(c);
    if ((small >= 'a' && small <= 'z') || is_digit(small)) out.push_back(small);
  }
  return out;
}

std::string_view bare(std::string_view words) {
  words = trimmed(words);
  while (!words.empty() && kAround.find(words.front()) != std::string_view::npos) words.remove_prefix(1);
  while (!words.empty() && (kAround.find(words.back()) != std::string_view::npos || words.back() == '.')) {
    words.remove_suffix(1);
  }
  return words;
}

std::size_t mark_of(std::string_view line) {
  std::size_t at = 0;
  while (at < line.size() && is_digit(line[at])) ++at;
  if (at > 0) {
    if (at == line.size() || (line[at] != '.' && line[at] != ')')) return 0;
    if (at + 1 < line.size() && is_digit(line[at + 1])) return 0;
    ++at;
  } else {
    if (line.empty() || (line[0] != '-' && line[0] != '*')) return 0;
    if (line.size() > 1 && (is_digit(line[1]) || line[1] == line[0])) return 0;
    at = 1;
  }
  while (at < line.size() && line[at] == ' ') ++at;
  return at;
}

std::optional<unsigned> number_of(std::string_view line) {
  if (mark_of(line) == 0 || !is_digit(line.front())) return std::nullopt;
  const auto number = whole_number(line.substr(0, line.find_first_not_of("0123456789")));
  if (!number) return std::nullopt;
  return static_cast<unsigned>(*number);
}

std::vector<std::string_view> lines_of(std::string_view content) {
  std::vector<std::string_view> lines;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    if (const std::string_view line = trimmed(content.substr(0, end)); !line.empty()) lines.push_back(line);
    content.remove_prefix(std::min(end + 1, content.size()));
  }
  return lines;
}

bool starts_with_word(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

std::string_view number_in(std::string_view text) {
  const std::size_t open = text.find_first_not_of(" *_");
  if (open != std::string_view::npos && text[open] == '(') {
    const std::size_t close = text.find(')', open);
    if (close == std::string_view::npos || close > kLongestScale) return {};
    text.remove_prefix(close + 1);
  }
  std::size_t at = 0;
  while (at < text.size() && at < kMostBetween && !is_digit(text[at]) && !is_letter(text[at]) && text[at] != '-') ++at;
  std::size_t end = at;
  if (end < text.size() && text[end] == '-') ++end;
  if (end >= text.size() || !is_digit(text[end])) return {};
  const auto joins = [&](std::size_t i) {
    return (text[i] == '.' || text[i] == ',' || text[i] == '-') && i + 1 < text.size() && is_digit(text[i + 1]);
  };
  while (end < text.size() && (is_digit(text[end]) || joins(end))) ++end;
  return text.substr(at, end - at);
}

std::string number_after(std::string_view text) { return std::string(number_in(text)); }

std::optional<int> whole_number(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
  int number = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

std::optional<std::string_view> field_of(std::string_view line, std::string_view lower) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t*_#-"), line.size()));
  if (!starts_with_word(line, lower)) return std::nullopt;
  line.remove_prefix(lower.size());
  if (line.starts_with("es") || line.starts_with("s")) line.remove_prefix(line.starts_with("es") ? 2 : 1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t*_"), line.size()));
  if (line.empty() || (line.front() != ':' && line.front() != '=')) return std::nullopt;
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t*_"), line.size()));
  return trimmed(line);
}

std::string_view object_in(std::string_view content) {
  const std::size_t open = content.find('{');
  const std::size_t close = content.rfind('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return content;
  return content.substr(open, close + 1 - open);
}

}  // namespace residue::model
