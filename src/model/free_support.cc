#include "model/free_support.h"

#include <string>

#include "model/answer_words.h"

namespace residue::model {
namespace {

SupportAnswer unusable(const char* why) { return {{}, why}; }

// The line of `text` up to `at`.
std::string_view line_before(std::string_view text, std::size_t at) {
  const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 is 0
  return text.substr(begin, at - begin);
}

// The first number of a line, as "3." of a list, "#3", "Statement 3:"; empty where there is none.
std::string list_number(std::string_view line) {
  const std::size_t begin = line.find_first_of("0123456789");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find_first_not_of("0123456789", begin);
  return std::string(line.substr(begin, end == std::string_view::npos ? end : end - begin));
}

// "3 or 2", "2 to 3": nobody can say which.
bool undecided(std::string_view behind) {
  const std::size_t at = behind.find_first_of("0123456789");
  if (at == std::string_view::npos || at > 8) return false;
  const std::string between(behind.substr(0, at));
  return between == " or " || between == " to " || between == " - " || between == "-" || between == " and ";
}

}  // namespace

SupportAnswer parse_free_support(std::string_view text, std::size_t claims) {
  constexpr std::string_view kClaim = "claim", kRating = "rating";
  SupportAnswer answer;
  std::string claim;  // the last one named
  if (claims > 1 && text.find('{') != std::string_view::npos) return unusable("JSON among words");
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
    if (undecided(rest.substr(rest.find(number) + number.size()))) return unusable("a rating that is not decided");
    if (number != "1" && number != "2" && number != "3") return unusable("a rating out of range");
    if (answer.ratings.size() == claims) return unusable("more ratings than claims");
    answer.ratings.push_back(static_cast<std::uint8_t>(number[0] - '0'));
    // Of several claims each has its line, and what the line is numbered has to agree.
    if (claims > 1 && claim.empty()) {
      const std::string listed = list_number(line_before(text, at));
      if (!listed.empty() && listed != std::to_string(answer.ratings.size())) return unusable("claims out of order");
    }
    if (!claim.empty() && claim != std::to_string(answer.ratings.size())) return unusable("claims out of order");
  }
  if (answer.ratings.empty()) return unusable("no ratings");
  if (answer.ratings.size() < claims) return unusable("a claim is missing");
  return answer;
}

}  // namespace residue::model
