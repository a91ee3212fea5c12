// Identifiers made of words: dates, ages, titles with names.
#include <algorithm>
#include <array>
#include <string>

#include "text/matchers.h"

namespace residue::text::match {

namespace {

int value_of(std::string_view t, std::size_t from, std::size_t end) {
  int value = 0;
  for (std::size_t i = from; i < end; ++i) value = value * 10 + (t[i] - '0');
  return value;
}

// The end of the year at `i` (1800 to 2199), or 0.
std::size_t year(std::string_view t, std::size_t i) {
  const std::size_t end = digits(t, i, 5);
  if (end != i + 4) return 0;
  const int value = value_of(t, i, end);
  return value >= 1800 && value < 2200 && !word_at(t, end) ? end : 0;
}

constexpr auto kMonths =
    std::to_array<std::string_view>({"january", "february", "march", "april", "may", "june", "july", "august",
                                     "september", "october", "november", "december"});

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
  const std::size_t end = year(t, next);
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
    if (const std::size_t end = year(t, named + 1)) return end;
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

// 2021-03-03 with an optional time; 3/3/2021, 03.03.21, 03/2021
std::size_t numeric_date(std::string_view t, std::size_t at) {
  if (at > 0 && (t[at - 1] == '.' || t[at - 1] == '/' || t[at - 1] == '-') && at > 1 && word_before(t, at - 1))
    return 0;
  const std::size_t a = digits(t, at, 5);
  const char separator = peek(t, a);
  if (a - at > 4 || a - at == 3 || (separator != '-' && separator != '/' && separator != '.')) return 0;
  const std::size_t b = digits(t, a + 1, 5);
  const int first = value_of(t, at, a);
  if (b == a + 5 && separator == '/' && a - at <= 2 && first >= 1 && first <= 12 && year(t, a + 1) != 0) {
    return peek(t, b) == '/' && is_digit(peek(t, b + 1)) ? 0 : b;
  }
  if (b == a + 1 || b > a + 3 || peek(t, b) != separator) return 0;
  const int second = value_of(t, a + 1, b);
  std::size_t c = digits(t, b + 1, 5);
  if (c == b + 1) return 0;
  if (a - at == 4) {
    if (year(t, at) == 0 && (first < 1800 || first >= 2200)) return 0;
    const int third = value_of(t, b + 1, c);
    if (c > b + 3 || second < 1 || second > 12 || third < 1 || third > 31) return 0;
    if (peek(t, c) == 'T' && is_digit(peek(t, c + 1))) {
      while (is_digit(peek(t, c)) || std::string_view("T:.Z+-").find(peek(t, c)) < 6) {
        if (c - b > 40 || c >= t.size()) break;
        ++c;
      }
      while (!is_alnum(t[c - 1])) --c;
    }
  } else {
    if (first < 1 || first > 31 || second < 1 || second > 31 || (first > 12 && second > 12)) return 0;
    const bool two_digit_year = c == b + 3;
    if (two_digit_year ? separator != '/' && (a - at != 2 || b - a != 3) : year(t, b + 1) == 0) return 0;
  }
  const char after = peek(t, c);
  if (word_at(t, c) || ((after == separator || after == '.' || after == '/') && is_digit(peek(t, c + 1)))) return 0;
  return separator == '.' && after_version(t, at) ? 0 : c;
}

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
  for (const std::string_view shorthand : {"y/o", "y.o.", "y.o", "yo"}) {
    if (continues(t, from, shorthand) && !word_at(t, from + shorthand.size())) return from + shorthand.size();
  }
  if (from == i) return 0;
  for (const std::string_view unit :
       {"years", "year", "yrs", "yr", "months", "month", "weeks", "week", "days", "day"}) {
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

constexpr auto kTitles = std::to_array<std::string_view>(
    {"Dr",     "Mr",      "Mrs",      "Ms",     "Mx",       "Miss", "Prof",    "Professor", "Doctor",
     "Sir",    "Dame",    "Lady",     "Rev",    "Reverend", "Capt", "Captain", "Herr",      "Frau",
     "Mme",    "Mlle",    "Monsieur", "Madame", "Sr",       "Sra",  "Srta",    "Señor",     "Señora",
     "Signor", "Signora", "Doña",     "Dra",    "DR",       "MR",   "MRS"});
constexpr auto kParticles =
    std::to_array<std::string_view>({"de",  "la",  "las", "los", "del", "der", "den", "van", "von", "da",  "di", "do",
                                     "dos", "das", "du",  "le",  "el",  "al",  "bin", "ibn", "ter", "ten", "zu", "y"});

// The end of the title at `i` with its full stop, or 0.
std::size_t title(std::string_view t, std::size_t i) {
  for (const std::string_view word : kTitles) {
    if (t.substr(i, word.size()) != word) continue;
    const std::size_t end = i + word.size();
    if (word_at(t, end)) continue;
    return peek(t, end) == '.' ? end + 1 : end;
  }
  return 0;
}

// The end of a capitalized word at `i`, hyphens and inner apostrophes included, possessive 's left out; or 0.
std::size_t name_word(std::string_view t, std::size_t i) {
  if (i >= t.size()) return 0;
  const Decoded first = decode(t, i);
  if (first.point < 0 || u_isUUppercase(first.point) == 0) return 0;
  std::size_t end = first.next;
  while (end < t.size() && end - i < 64) {
    if (word_at(t, end) && !is_digit(t[end]) && t[end] != '_') {
      end = decode(t, end).next;
      continue;
    }
    const std::size_t mark = t[end] == '\'' || t[end] == '-'     ? end + 1
                             : continues(t, end, "\xE2\x80\x99") ? end + 3
                                                                 : 0;
    if (mark == 0 || !word_at(t, mark) || is_digit(peek(t, mark))) break;
    if (t[end] != '-' && peek(t, mark) == 's' && !word_at(t, mark + 1)) break;
    end = mark;
  }
  if (end == first.next && peek(t, end) == '.') return end + 1;  // an initial
  return end;
}

}  // namespace

std::size_t date(std::string_view t, std::size_t at) {
  if (is_digit(t[at])) {
    const std::size_t numeric = numeric_date(t, at);
    return numeric != 0 ? numeric : day_first(t, at);
  }
  return is_upper(t[at]) ? month_first(t, at) : 0;
}

std::size_t age(std::string_view t, std::size_t at) {
  if (at > 1 && (t[at - 1] == '.' || t[at - 1] == ',' || t[at - 1] == '/') && is_digit(t[at - 2])) return 0;
  for (const std::string_view lead : {"aged ", "age ", "at the age of ", "age of ", "age: "}) {
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
  const std::size_t count = years_count(t, at);
  return count == 0 ? 0 : age_unit(t, count);
}

std::size_t name(std::string_view t, std::size_t at) {
  std::size_t i = title(t, at);
  if (i == 0) return 0;
  std::size_t result = 0;
  for (int words = 0; words < 7; ++words) {
    const std::size_t next = after_space(t, i);
    if (next == 0) break;
    if (result == 0) {
      if (const std::size_t second = title(t, next); second != 0) {  // Prof. Dr. Hoffmann
        i = second;
        continue;
      }
    }
    if (const std::size_t end = name_word(t, next)) {
      i = end;
      // A single capital with a full stop counts only before another name: "Dr. K. Smith", not "Miss X. She".
      if (t[end - 1] != '.') result = end;
      if (t[end - 1] == '.' && result == 0) continue;
      continue;
    }
    std::size_t end = next;
    while (end - next < 4 && is_lower(peek(t, end))) ++end;
    const std::string_view word = t.substr(next, end - next);
    if (word_at(t, end) || std::ranges::find(kParticles, word) == kParticles.end()) break;
    i = end;
  }
  return result;
}

}  // namespace residue::text::match
