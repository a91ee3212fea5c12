#include "model/free_support.h"

#include <string>

#include "model/answer_words.h"

namespace residue::model {
namespace {

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
