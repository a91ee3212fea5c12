#include "model/free_support.h"

#include <string>

namespace residue::model {
namespace {

constexpr std::size_t kMostBetween = 6;  // marks between the word and its number
constexpr std::size_t kLongestScale = 24;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}

bool starts_with_word(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

// The number that follows a word within a few marks, as it is written: "2", "2.5", "-1", "1-3"; empty: none does. The
// scale in brackets between them is passed over.
std::string number_after(std::string_view text) {
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
  return std::string(text.substr(at, end - at));
}

SupportAnswer unusable(const char* why) { return {{}, why}; }

}  // namespace

SupportAnswer parse_free_support(std::string_view text, std::size_t claims) {
  constexpr std::string_view kClaim = "claim", kRating = "rating";
  SupportAnswer answer;
  std::string claim;  // the last one named
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && is_letter(text[at - 1])) continue;
    const std::string_view rest = text.substr(at);
    if (starts_with_word(rest, kClaim)) {
      const std::string number = number_after(rest.substr(kClaim.size()));
      if (!number.empty()) claim = number;
    }
    if (!starts_with_word(rest, kRating)) continue;
    const std::string number = number_after(rest.substr(kRating.size()));
    if (number.empty()) continue;
    if (number.find_first_not_of("0123456789") != std::string::npos)
      return unusable("a rating that is no whole number");
    if (number != "1" && number != "2" && number != "3") return unusable("a rating out of range");
    if (answer.ratings.size() == claims) return unusable("more ratings than claims");
    answer.ratings.push_back(static_cast<std::uint8_t>(number[0] - '0'));
    if (!claim.empty() && claim != std::to_string(answer.ratings.size())) return unusable("claims out of order");
  }
  if (answer.ratings.empty()) return unusable("no ratings");
  if (answer.ratings.size() < claims) return unusable("a claim is missing");
  return answer;
}

}  // namespace residue::model
