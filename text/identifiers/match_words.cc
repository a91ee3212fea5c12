// Ages.
#include <algorithm>
#include <array>
#include <string_view>

#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

constexpr auto kNumberWords = std::to_array<std::string_view>(
    {"one",    "two",    "three",    "four",     "five",    "six",     "seven",     "eight",    "nine",     "ten",
     "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
     "thirty", "forty",  "fifty",    "sixty",    "seventy", "eighty",  "ninety",    "hundred"});

// The end of the number at `i`: up to three digits below 130 with an optional fraction, or words ("forty-five"), or 0.
std::size_t years_count(std::string_view t, std::size_t i) {
  if (is_digit(peek(t, i))) {
    std::size_t end = digits(t, i, 4);
    if (end - i > 3 || value_of(t, i, end) >= 130) return 0;
    if (peek(t, end) == '.' && is_digit(peek(t, end + 1)) && !is_digit(peek(t, end + 2))) end += 2;
    return end;
  }
  std::size_t result = 0;
  for (int words = 0; words < 2; ++words) {
    std::size_t end = i;
    while (end - i < 10 && is_alpha(peek(t, end))) ++end;
    const std::string_view word = t.substr(i, end - i);
    if (word.empty() || std::ranges::none_of(kNumberWords, [&](std::string_view w) {
          return w.size() == word.size() && continues(word, 0, w);
        }))
      break;
    result = end;
    if (peek(t, end) != '-') break;
    i = end + 1;
  }
  return result;
}

// "-year-old", " years old", " years of age", " y/o", "yo", "-week-old" after a number, or 0.
std::size_t age_unit(std::string_view t, std::size_t i) {
  const char first = peek(t, i);
  const std::size_t space = after_space(t, i);
  const std::size_t from = first == '-' ? i + 1 : space != 0 ? space : i;
  for (const std::string_view shorthand : words({"y/o", "y.o.", "y.o", "yo"})) {
    if (continues(t, from, shorthand) && !word_at(t, from + shorthand.size())) return from + shorthand.size();
  }
  if (from == i) return 0;
  for (const std::string_view unit :
       words({"years", "year", "yrs", "yr", "months", "month", "weeks", "week", "days", "day"})) {
    if (!continues(t, from, unit)) continue;
    const std::size_t end = from + unit.size();
    if (word_at(t, end)) continue;
    const std::size_t gap = peek(t, end) == '-' ? end + 1 : after_space(t, end);
    if (gap == 0) return 0;
    if (continues(t, gap, "old") && !word_at(t, gap + 3)) return gap + 3;
    if (continues(t, gap, "of age") && !word_at(t, gap + 6)) return gap + 6;
    return 0;
  }
  return 0;
}

// "just turned 53", "when she was 64": is the number [at, end) said to be somebody's age?
bool turned(std::string_view t, std::size_t at, std::size_t end) {
  if (!is_digit(t[at]) || end - at != 2 || !stands_alone(t, at, end) || unit_follows(t, end)) return false;
  if (peek(t, end) == '-' || peek(t, end) == '/') return false;
  const std::string_view verb = word_behind(t, at);
  const auto is = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return same_word(verb, word); });
  };
  if (is({"turned", "turns", "turning", "turn"})) return true;
  constexpr auto kWhen =
      std::to_array<std::string_view>({"when he", "when she", "when they", "when i", "when we", "when you"});
  return is({"was", "were", "is"}) && announced(t, at, kWhen, 3);
}

}  // namespace

std::size_t age(std::string_view t, std::size_t at) {
  if (at > 1 && (t[at - 1] == '.' || t[at - 1] == ',' || t[at - 1] == '/') && is_digit(t[at - 2])) return 0;
  const bool spelled = is_alpha(t[at]);
  const char letter = to_lower(peek(t, at + 1));
  const bool may_lead = to_lower(t[at]) == 'a' && (letter == 'g' || letter == 't');
  for (const std::string_view lead : words({"aged ", "age ", "at the age of ", "age of ", "age: "})) {
    if (!may_lead) break;
    if (!continues(t, at, lead)) continue;
    const std::size_t from = at + lead.size();
    const std::size_t end = years_count(t, from);
    if (end == 0 || word_at(t, end) || (peek(t, end) == '.' && is_digit(peek(t, end + 1))) || peek(t, end) == '%')
      continue;
    if (const std::size_t unit = age_unit(t, end)) return unit;
    if (peek(t, end) == '-') {
      const std::size_t second = years_count(t, end + 1);
      return second != 0 && !word_at(t, second) ? second : 0;
    }
    return end;
  }
  if (spelled) {  // "three-year-old", "one year old": most words are followed by something else
    std::size_t end = at;
    while (end - at < 10 && is_alpha(peek(t, end))) ++end;
    const char unit = to_lower(peek(t, end + 1));
    if (peek(t, end) != '-' && (peek(t, end) != ' ' || (unit != 'y' && unit != 'm' && unit != 'w' && unit != 'd')))
      return 0;
  }
  const std::size_t count = years_count(t, at);
  if (count == 0) return 0;
  if (const std::size_t unit = age_unit(t, count)) return unit;
  return turned(t, at, count) ? count : 0;
}

}  // namespace residue::text::match
