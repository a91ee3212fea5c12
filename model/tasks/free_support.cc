#include "model/tasks/free_support.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/replies/answer_words.h"
#include "model/replies/said_rating.h"

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

// What stands between two ratings of which neither is meant.
bool hedges(std::string_view word) {
  static constexpr std::string_view kWords[] = {"or",    "to",   "and",   "maybe", "perhaps", "possibly", "even",
                                                "could", "be",   "might", "also",  "rather",  "probably", "versus",
                                                "vs",    "also", "as",    "well",  "a",       "either"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

// Behind a rating: the scale that it is of ("/3", "out of 3").
std::size_t scale_of(std::string_view behind) {
  for (const std::string_view scale : {"/3", " / 3", " out of 3", " of 3"}) {
    if (behind.starts_with(scale) && (behind.size() == scale.size() || !is_digit(behind[scale.size()])))
      return scale.size();
  }
  return 0;
}

// Whether another number from 1 to 3 follows the rating, with marks and words of doubt between them at most: "3 or 2",
// "1/2/3", "[1, 2, 3]", "3; or maybe 1". One that counts something ("3, 2 drugs are named") is no rating.
bool undecided(std::string_view behind, bool in_brackets) {
  behind.remove_prefix(scale_of(behind));
  bool doubted = false;
  for (std::size_t at = 0; at < behind.size();) {
    if (is_digit(behind[at])) {
      const std::size_t end = std::min(behind.find_first_not_of("0123456789", at), behind.size());
      const std::size_t next = std::min(behind.find_first_not_of(' ', end), behind.size());
      const bool counts = next < behind.size() && (is_letter(behind[next]) || behind[next] == '%');
      return doubted || !counts;
    }
    if (is_letter(behind[at])) {
      std::size_t end = at;
      while (end < behind.size() && is_letter(behind[end])) ++end;
      const std::string word = plain(behind.substr(at, end - at));  // empty: a dash beyond ASCII
      if (!word.empty() && !hedges(word)) return false;
      doubted = doubted || !word.empty();
      at = end;
      continue;
    }
    if (behind[at] == '\n' && !in_brackets) return false;
    if (behind[at] == ']') in_brackets = false;
    ++at;
  }
  return false;
}

// For each claim its words that not all of them have.
using ClaimWords = std::vector<std::set<std::string>>;

std::set<std::string> words_in(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (is_letter(c) || is_digit(c)) {
      word.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.insert(std::move(word));
  return words;
}

ClaimWords telling_words(std::span<const std::string> claims) {
  ClaimWords all;
  std::map<std::string, std::size_t> claims_with;
  for (const std::string& claim : claims) {
    for (const std::string& word : all.emplace_back(words_in(claim))) ++claims_with[word];
  }
  for (auto& words : all)
    std::erase_if(words, [&](const std::string& word) { return claims_with[word] == claims.size(); });
  return all;
}

// Whether a text has more of the words of another claim than of this one.
bool names_another(std::string_view text, const ClaimWords& claims, std::size_t own) {
  const std::set<std::string> said = words_in(text);
  const auto shared = [&](std::size_t claim) {
    return std::count_if(claims[claim].begin(), claims[claim].end(),
                         [&](const std::string& word) { return said.contains(word); });
  };
  for (std::size_t other = 0; other < claims.size(); ++other) {
    if (other != own && shared(other) > shared(own)) return true;
  }
  return false;
}

// A rating's place in the text: of its line, and of the number.
struct Place {
  std::size_t line, rating, end;
};

// Claims that are named in words have to stand in their order. The name stands before the rating on its line; where no
// rating has words before it there, on the lines since the last rating, or after it where the first one has none.
bool named_in_order(std::string_view text, const std::vector<Place>& places, const ClaimWords& claims) {
  const auto names = [&](std::string_view part) {
    for (const auto& words : claims) {
      for (const std::string& word : words_in(part)) {
        if (words.contains(word) && word.find_first_not_of("0123456789") != std::string::npos) return true;
      }
    }
    return false;
  };
  std::vector<std::string_view> before, since, after;
  for (std::size_t i = 0; i < places.size(); ++i) {
    before.push_back(text.substr(places[i].line, places[i].rating - places[i].line));
    const std::size_t begin = i == 0 ? 0 : places[i - 1].end;
    since.push_back(text.substr(begin, places[i].rating - begin));
    const std::size_t end = i + 1 < places.size() ? places[i + 1].line : text.size();
    after.push_back(text.substr(places[i].end, end - places[i].end));
  }
  const bool on_its_line = std::any_of(before.begin(), before.end(), names);
  const auto& parts = on_its_line ? before : names(since.front()) ? since : after;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (names_another(parts[i], claims, i)) return false;
  }
  return true;
}

// Of one claim, where nothing stands behind "rating": "I would rate this 2."
SupportAnswer in_a_sentence(std::string_view text) {
  std::optional<std::string_view> rating;
  for (const std::string_view number : ratings_said(text)) {
    if (number.find_first_not_of("0123456789") != std::string_view::npos)
      return unusable("a rating that is no whole number");
    const auto end = static_cast<std::size_t>(number.data() - text.data()) + number.size();
    if (undecided(text.substr(end), false)) return unusable("a rating that is not decided");
    if (number != "1" && number != "2" && number != "3") return unusable("a rating out of range");
    if (rating && *rating != number) return unusable("more ratings than claims");
    rating = number;
  }
  if (!rating) return unusable("no ratings");
  return {{static_cast<std::uint8_t>(rating->front() - '0')}, ""};
}

}  // namespace

SupportAnswer parse_free_support(std::string_view text, std::span<const std::string> claims) {
  constexpr std::string_view kClaim = "claim", kRating = "rating";
  SupportAnswer answer;
  std::string claim;  // the last one named
  std::vector<Place> places;
  if (claims.size() > 1 && text.find('{') != std::string_view::npos) return unusable("JSON among words");
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && is_letter(text[at - 1])) continue;
    const std::string_view rest = text.substr(at);
    if (starts_with_word(rest, kClaim)) {
      const std::string number = number_after(rest.substr(kClaim.size()));
      if (!number.empty()) claim = number;
    }
    if (!starts_with_word(rest, kRating)) continue;
    const std::string_view number = number_in(rest.substr(kRating.size()));
    if (number.empty()) continue;
    if (number.find_first_not_of("0123456789") != std::string::npos)
      return unusable("a rating that is no whole number");
    const auto stands = static_cast<std::size_t>(number.data() - rest.data());
    const bool in_brackets = rest.substr(0, stands).find('[') != std::string_view::npos;
    if (undecided(rest.substr(stands + number.size()), in_brackets)) return unusable("a rating that is not decided");
    if (number != "1" && number != "2" && number != "3") return unusable("a rating out of range");
    if (answer.ratings.size() == claims.size()) return unusable("more ratings than claims");
    answer.ratings.push_back(static_cast<std::uint8_t>(number[0] - '0'));
    const std::string_view line = line_before(text, at);
    places.push_back({at - line.size(), at, at + stands + number.size()});
    // Of several claims each has its line, and what the line is numbered has to agree.
    if (claims.size() > 1 && claim.empty()) {
      const std::string listed = list_number(line);
      if (!listed.empty() && listed != std::to_string(answer.ratings.size())) return unusable("claims out of order");
    }
    if (!claim.empty() && claim != std::to_string(answer.ratings.size())) return unusable("claims out of order");
  }
  if (answer.ratings.empty()) return claims.size() == 1 ? in_a_sentence(text) : unusable("no ratings");
  if (answer.ratings.size() < claims.size()) return unusable("a claim is missing");
  if (claims.size() > 1 && !named_in_order(text, places, telling_words(claims))) return unusable("claims out of order");
  return answer;
}

}  // namespace residue::model
