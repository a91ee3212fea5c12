#include "model/replies/said_rating.h"

#include <algorithm>
#include <string>

#include "model/replies/answer_words.h"

namespace residue::model {
namespace {

constexpr std::size_t kMostBetween = 8;  // words between a verb and its number

template <std::size_t n>
bool is_one_of(const std::string& word, const char* const (&words)[n]) {
  return std::ranges::find(words, word) != std::end(words);
}

bool is_noun(const std::string& word) {
  static constexpr const char* kWords[] = {"rating", "score"};
  return is_one_of(word, kWords);
}
bool is_verb(const std::string& word) {
  static constexpr const char* kWords[] = {"rate", "rated", "score", "scored", "give", "assign"};
  return is_one_of(word, kWords);
}
// Before a verb: who rates is the speaker, or it is passive.
bool is_subject(const std::string& word) {
  static constexpr const char* kWords[] = {"i", "we", "would", "d", "will", "ll", "is", "be", "am", "must"};
  return is_one_of(word, kWords);
}
// Between a verb or noun and its number.
bool is_filler(const std::string& word) {
  static constexpr const char* kWords[] = {
      "this",      "it",      "the",    "that",  "a",      "an",           "as",    "at",        "with",
      "of",        "is",      "be",     "would", "here",   "for",          "claim", "statement", "text",
      "to",        "passage", "rating", "score", "number", "conversation", "value", "one",       "response",
      "therefore", "overall", "final",  "my",    "so",     "about"};
  return is_one_of(word, kWords);
}

struct Word {
  std::string lower;
  std::size_t begin, end;
};

// From `at` on; empty: no further one. Digits are none.
Word next_word(std::string_view words, std::size_t at) {
  while (at < words.size() && !is_letter(words[at]) && !is_digit(words[at])) ++at;
  std::size_t end = at;
  while (end < words.size() && is_letter(words[end])) ++end;
  return {lower(words.substr(at, end - at)), at, end};
}

bool ends_sentence(std::string_view between) { return between.find_first_of(".?!;\n") != std::string_view::npos; }

// What follows behind fillers; empty: something else does.
std::string_view number_behind(std::string_view words, std::size_t at) {
  for (std::size_t passed = 0; passed <= kMostBetween; ++passed) {
    const Word word = next_word(words, at);
    if (word.begin >= words.size() || ends_sentence(words.substr(at, word.begin - at))) return {};
    if (word.lower.empty()) {
      const bool negative = word.begin > at && words[word.begin - 1] == '-';
      return number_in(words.substr(word.begin - (negative ? 1 : 0)));
    }
    if (!is_filler(word.lower)) return {};
    at = word.end;
  }
  return {};
}

// "claim 1 as 2": the first number names the claim.
std::string_view rating_behind(std::string_view words, std::size_t at) {
  const std::string_view first = number_behind(words, at);
  if (first.empty()) return {};
  const auto begin = static_cast<std::size_t>(first.data() - words.data());
  const std::string before = lower(words.substr(at, begin - at));
  const bool names = before.ends_with("claim ") || before.ends_with("statement ");
  const std::string_view second = names ? number_behind(words, begin + first.size()) : std::string_view();
  return second.empty() ? first : second;
}

}  // namespace

std::vector<std::string_view> ratings_said(std::string_view words) {
  std::vector<std::string_view> said;
  std::string before;
  for (std::size_t at = 0; at < words.size();) {
    const Word word = next_word(words, at);
    if (word.begin >= words.size()) break;
    if (word.lower.empty()) {
      at = word.begin + 1;
      before.clear();
      continue;
    }
    at = word.end;
    if (is_noun(word.lower) || (is_verb(word.lower) && is_subject(before))) {
      const std::string_view number = rating_behind(words, word.end);
      const bool again = !said.empty() && said.back().data() == number.data();
      if (!number.empty() && !again) said.push_back(number);
    }
    before = word.lower;
  }
  return said;
}

}  // namespace residue::model
