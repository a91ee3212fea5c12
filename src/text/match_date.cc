// Dates, years and times of day.
#include <algorithm>
#include <array>

#include "text/matchers.h"

namespace residue::text::match {

namespace {

int value_of(std::string_view t, std::size_t from, std::size_t end) {
  int value = 0;
  for (std::size_t i = from; i < end; ++i) value = value * 10 + (t[i] - '0');
  return value;
}

constexpr auto kMonths =
    std::to_array<std::string_view>({"january", "february", "march", "april", "may", "june", "july", "august",
                                     "september", "october", "november", "december"});
constexpr auto kDays =
    std::to_array<std::string_view>({"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"});

// The end of "14:05", "9:30:15" at `i`, or 0. The parts of a time, not the word after it.
std::size_t clock(std::string_view t, std::size_t i) {
  const std::size_t hour = digits(t, i, 3);
  if (hour == i || hour > i + 2 || value_of(t, i, hour) > 24 || peek(t, hour) != ':') return 0;
  std::size_t end = digits(t, hour + 1, 3);
  if (end != hour + 3 || t[hour + 1] > '5') return 0;
  if (peek(t, end) == ':' && digits(t, end + 1, 3) == end + 3 && t[end + 1] <= '5') {
    end += 3;
    if (peek(t, end) == '.' && is_digit(peek(t, end + 1))) end = digits(t, end + 1, 9);
  }
  const char after = peek(t, end);
  return is_digit(after) || (after == ':' && is_digit(peek(t, end + 1))) ? 0 : end;
}

// The end of " am", "p.m." at `i`, or 0.
std::size_t half_of_day(std::string_view t, std::size_t i) {
  if (const std::size_t next = after_space(t, i)) i = next;
  for (const std::string_view half : {"a.m.", "p.m.", "a.m", "p.m", "am", "pm"}) {
    if (continues(t, i, half) && !word_at(t, i + half.size())) return i + half.size();
  }
  return 0;
}

// The end of a day of the week with a capital at `at`, or 0.
std::size_t day_of_week(std::string_view t, std::size_t at) {
  for (const std::string_view day : kDays) {
    if (continues(t, at, day)) return word_at(t, at + day.size()) ? 0 : at + day.size();
  }
  return 0;
}

// The end of a capitalized month at `i`, full or cut to three letters (four for Sept) with or without a full stop, or
// 0.
std::size_t month(std::string_view t, std::size_t i) {
  if (!is_upper(peek(t, i))) return 0;
  std::size_t end = i;
  while (end - i < 10 && is_alpha(peek(t, end))) ++end;
  const std::size_t length = end - i;
  if (length < 3 || word_at(t, end)) return 0;
  for (const std::string_view name : kMonths) {
    if (!continues(t, i, name.substr(0, 3))) continue;
    if (length == name.size() && continues(t, i, name)) return end;
    const bool cut = length == 3 || (length == 4 && continues(t, i, "sept"));
    if (!cut) return 0;
    return peek(t, end) == '.' ? end + 1 : end;
  }
  return 0;
}

// The end of a day of the month at `i`, with or without st, nd, rd, th, or 0.
std::size_t day(std::string_view t, std::size_t i) {
  std::size_t end = digits(t, i, 3);
  if (end == i || end > i + 2) return 0;
  const int value = value_of(t, i, end);
  if (value < 1 || value > 31) return 0;
  for (const std::string_view suffix : {"st", "nd", "rd", "th"}) {
    if (continues(t, end, suffix)) end += 2;
  }
  return word_at(t, end) ? 0 : end;
}

// The end of ", 2021" or " 2021" or " of 2021" at `i`, or 0.
std::size_t trailing_year(std::string_view t, std::size_t i) {
  if (peek(t, i) == ',') ++i;
  std::size_t next = after_space(t, i);
  if (next == 0) return 0;
  if (continues(t, next, "of ")) next += 3;
  const std::size_t end = plain_year(t, next);
  return end != 0 && !(peek(t, end) == '/' && is_digit(peek(t, end + 1))) ? end : 0;
}

// 3 March 2021, 3rd of March 2021, 3 March
std::size_t day_first(std::string_view t, std::size_t at) {
  std::size_t i = day(t, at);
  if (i == 0) return 0;
  if (peek(t, i) == '.') ++i;
  std::size_t next = after_space(t, i);
  if (next == 0 && peek(t, i) == '-') next = i + 1;
  if (next == 0) return 0;
  if (continues(t, next, "of ")) next += 3;
  const std::size_t named = month(t, next);
  if (named == 0) return 0;
  if (peek(t, named) == '-') {
    if (const std::size_t end = plain_year(t, named + 1)) return end;
  }
  if (const std::size_t end = trailing_year(t, named)) return end;
  // The full stop of a cut month may be that of the sentence: both readings are the same date.
  return t[named - 1] == '.' ? named - 1 : named;
}

// March 3rd, 2021; March 2021; March 3
std::size_t month_first(std::string_view t, std::size_t at) {
  const std::size_t named = month(t, at);
  if (named == 0) return 0;
  const std::size_t next = after_space(t, named);
  if (next == 0) return 0;
  if (const std::size_t end = trailing_year(t, named)) return end;
  const std::size_t on = day(t, next);
  if (on == 0) return 0;
  if (const std::size_t end = trailing_year(t, on)) return end;
  const char after = peek(t, on);
  if ((after == '.' || after == ',' || after == '/' || after == '-' || after == ':') && is_digit(peek(t, on + 1)))
    return 0;
  return unit_follows(t, on) ? 0 : on;
}

// 2021-03-03 with an optional time of day; 3/3/2021, 03.03.21, 03/2021
std::size_t numeric_date(std::string_view t, std::size_t at) {
  if (at > 0 && (t[at - 1] == '.' || t[at - 1] == '/' || t[at - 1] == '-') && at > 1 && word_before(t, at - 1))
    return 0;
  const std::size_t a = digits(t, at, 5);
  const char separator = peek(t, a);
  if (a - at > 4 || a - at == 3 || (separator != '-' && separator != '/' && separator != '.')) return 0;
  const std::size_t b = digits(t, a + 1, 5);
  const int first = value_of(t, at, a);
  if (b == a + 5 && separator == '/' && a - at <= 2 && first >= 1 && first <= 12 && plain_year(t, a + 1) != 0) {
    return peek(t, b) == '/' && is_digit(peek(t, b + 1)) ? 0 : b;
  }
  if (b == a + 1 || b > a + 3 || peek(t, b) != separator) return 0;
  const int second = value_of(t, a + 1, b);
  std::size_t c = digits(t, b + 1, 5);
  if (c == b + 1) return 0;
  if (a - at == 4) {
    if (plain_year(t, at) == 0 && (first < 1800 || first >= 2200)) return 0;
    const int third = value_of(t, b + 1, c);
    if (c > b + 3 || second < 1 || second > 12 || third < 1 || third > 31) return 0;
    if (peek(t, c) == ' ' && clock(t, c + 1) != 0) {
      c = clock(t, c + 1);
    } else if (peek(t, c) == 'T' && is_digit(peek(t, c + 1))) {
      while (is_digit(peek(t, c)) || std::string_view("T:.Z+-").find(peek(t, c)) < 6) {
        if (c - b > 40 || c >= t.size()) break;
        ++c;
      }
      while (!is_alnum(t[c - 1])) --c;
    }
  } else {
    if (first < 1 || first > 31 || second < 1 || second > 31 || (first > 12 && second > 12)) return 0;
    const bool two_digit_year = c == b + 3;
    if (two_digit_year ? separator != '/' && (a - at != 2 || b - a != 3) : plain_year(t, b + 1) == 0) return 0;
  }
  const char after = peek(t, c);
  if (word_at(t, c) || ((after == separator || after == '.' || after == '/') && is_digit(peek(t, c + 1)))) return 0;
  return separator == '.' && after_version(t, at) ? 0 : c;
}

// Is a year that stands at [at, end) more than a number of that size: "in 1977", "(1977)", "a 1977 film"?
bool said_as_year(std::string_view t, std::size_t at, std::size_t end) {
  if (unit_follows(t, end) || peek(t, end) == '-' || (at > 0 && t[at - 1] == '-')) return false;
  if (at > 0 && t[at - 1] == '(' && (peek(t, end) == ')' || peek(t, end) == ',')) return true;
  constexpr auto kBefore = std::to_array<std::string_view>(
      {"in",     "since",  "until",  "till", "during", "from", "before", "after", "year", "early",  "late",  "mid",
       "spring", "summer", "autumn", "fall", "winter", "of",   "by",     "born",  "year", "around", "circa", "about"});
  constexpr auto kArticle = std::to_array<std::string_view>({"a", "the", "an"});
  const std::string_view word = word_behind(t, at);
  const auto is = [&](std::string_view one) { return same_word(word, one); };
  if (std::ranges::any_of(kBefore, is)) return true;
  return std::ranges::any_of(kArticle, is) && peek(t, end) == ' ' && is_alpha(peek(t, end + 1));
}

}  // namespace

bool is_calendar_word(std::string_view word) {
  const auto same = [&](std::string_view name) { return same_word(word, name); };
  return std::ranges::any_of(kMonths, same) || std::ranges::any_of(kDays, same);
}

std::size_t plain_year(std::string_view t, std::size_t i) {
  const std::size_t end = digits(t, i, 5);
  if (end != i + 4) return 0;
  const int value = value_of(t, i, end);
  return value >= 1800 && value < 2200 && !word_at(t, end) ? end : 0;
}

std::size_t date(std::string_view t, std::size_t at) {
  if (is_digit(t[at])) {
    const std::size_t numeric = numeric_date(t, at);
    return numeric != 0 ? numeric : day_first(t, at);
  }
  if (!is_upper(t[at])) return 0;
  const std::size_t named = month_first(t, at);
  return named != 0 ? named : day_of_week(t, at);
}

std::size_t year(std::string_view t, std::size_t at) {
  const std::size_t end = plain_year(t, at);
  return end != 0 && stands_alone(t, at, end) && said_as_year(t, at, end) ? end : 0;
}

std::size_t time(std::string_view t, std::size_t at) {
  if (at > 0 && std::string_view(":.,/-").find(t[at - 1]) != std::string_view::npos && at > 1 && is_alnum(t[at - 2]))
    return 0;
  if (const std::size_t end = clock(t, at)) {
    if (const std::size_t half = half_of_day(t, end)) return half;
    if (word_at(t, end) || peek(t, end) == '/' || peek(t, end) == '%') return 0;
    if (end - at > 4) return end;  // "9:30" may be a ratio or a verse
    constexpr auto kBefore = std::to_array<std::string_view>(
        {"at", "by", "until", "till", "from", "since", "around", "before", "after", "to", "time", "and"});
    const std::string_view word = word_behind(t, at);
    return std::ranges::any_of(kBefore, [&](std::string_view one) { return same_word(word, one); }) ? end : 0;
  }
  const std::size_t hour = digits(t, at, 3);
  if (hour == at || hour > at + 2 || value_of(t, at, hour) > 24) return 0;
  if (value_of(t, at, hour) <= 12 && value_of(t, at, hour) > 0) {
    if (const std::size_t half = half_of_day(t, hour)) return half;
  }
  const std::size_t next = after_space(t, hour);
  for (const std::string_view clock_word : {"o'clock",
                                            "o\xE2\x80\x99"
                                            "clock"}) {
    if (next != 0 && continues(t, next, clock_word)) return next + clock_word.size();
  }
  return 0;
}

}  // namespace residue::text::match
