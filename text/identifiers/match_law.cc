// Dates and places that say which law is meant: they tell nothing of anybody.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

// What is published under a date, with a capital. Decrees, judgments and resolutions are of somebody often.
constexpr auto kLaws = std::to_array<std::string_view>(
    {"Act", "Law", "Ordinance", "Statute", "Convention", "Treaty", "Constitution", "Directive", "Regulation", "Code"});
constexpr auto kTreaties = std::to_array<std::string_view>(
    {" Convention", " Convention's", " Conventions", " Treaty", " Statute", " Accords"});

bool is_law(std::string_view word) { return std::ranges::find(kLaws, word) != kLaws.end(); }

// Where the number ends that "no." or "nos." stands before, going left from `end`; `end` where there is none.
std::size_t before_number(std::string_view t, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && end - begin < 16 && (is_alnum(t[begin - 1]) || t[begin - 1] == '/' || t[begin - 1] == '-'))
    --begin;
  if (begin == end || !is_digit(t[begin]) || begin < 2 || t[begin - 1] != ' ') return end;
  const std::size_t stop = t[begin - 2] == '.' ? begin - 2 : begin - 1;
  for (const std::string_view word : {" no", " No", " nos", " Nos", " nr", " number"}) {
    if (t.substr(0, stop).ends_with(word)) return stop - word.size();
  }
  return end;
}

}  // namespace

bool dates_a_law(std::string_view t, std::size_t at) {
  std::string_view word = word_behind(t, at);
  if (word.empty()) {  // the day before a month
    std::size_t day = at;
    while (day > 0 && at - day < 4 && (is_digit(t[day - 1]) || t[day - 1] == ' ')) --day;
    if (day == at) return false;
    while (day < at && !is_digit(t[day])) ++day;
    word = word_behind(t, at = day);
  }
  const bool on = same_word(word, "on");
  if (!on && !same_word(word, "of") && !same_word(word, "dated")) return false;
  auto end = static_cast<std::size_t>(word.data() - t.data());
  if (end < 4 || t[end - 1] != ' ') return false;
  end = before_number(t, end - 1);
  const std::string_view before = t.substr(0, end);
  if (before.ends_with("Official Gazette") || before.ends_with("Official Journal")) return true;
  if (on) return false;
  if (end > 1 && t[end - 1] == ')') {  // "Regulation (EC) no. 44/2001 of"
    const std::size_t open = t.substr(0, end).rfind('(');
    if (open != std::string_view::npos && open > 0 && end - open < 12) end = open - 1;
  }
  return is_law(word_behind(t, end + (peek(t, end) == ' ' ? 1 : 0)));
}

bool is_of_a_law(std::string_view t, std::size_t end) {
  constexpr auto kNamed =
      std::to_array<std::string_view>({" act", " law", " ordinance", " convention", " constitution"});
  const auto named = [&](std::string_view law) { return continues(t, end, law) && !word_at(t, end + law.size()); };
  if (std::ranges::any_of(kNamed, named)) return true;
  const std::size_t next = after_space(t, end);
  const std::size_t place = next == 0 ? 0 : name_word(t, next);
  return place != 0 && names_a_treaty(t, next, place);
}

bool names_a_treaty(std::string_view t, std::size_t at, std::size_t end) {
  const std::string_view before = t.substr(0, at);
  if (before.ends_with("Treaty of ") || before.ends_with("Treaty on ") || before.ends_with("Treaty on the "))
    return true;
  return peek(t, end) == ' ' && std::ranges::any_of(kTreaties, [&](std::string_view word) {
           return t.substr(end).starts_with(word) && !word_at(t, end + word.size());
         });
}

}  // namespace residue::text::match
