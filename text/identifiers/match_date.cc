// Dates, years and times of day.
#include <algorithm>
#include <array>
#include <string_view>

#include "text/identifiers/calendar.h"
#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

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

// The end of the zone behind the time of day that ends at `i` ("Z", " UTC", "+01:00", " +0100"), or `i`.
std::size_t zoned(std::string_view t, std::size_t i) {
  const std::size_t space = after_space(t, i);
  const std::size_t from = space != 0 ? space : i;
  if (peek(t, from) == '+' || (peek(t, from) == '-' && space == 0)) {
    std::size_t end = digits(t, from + 1, 5);
    if (end == from + 3 && peek(t, end) == ':') end = digits(t, end + 1, 3) == end + 3 ? end + 3 : end;
    const bool zone = end == from + 3 || end == from + 5 || end == from + 6;
    return zone && t[from + 1] < '2' && !word_at(t, end) ? end : i;
  }
  if (peek(t, from) == 'Z' && space == 0) return word_at(t, from + 1) ? i : from + 1;
  for (const std::string_view zone : words({"UTC", "GMT", "CET", "CEST", "EET", "EEST", "WET", "BST", "EST", "EDT",
                                            "CST", "CDT", "MST", "MDT", "PST", "PDT", "MSK", "JST"})) {
    if (continues_as_written(t, from, zone) && !word_at(t, from + zone.size())) return from + zone.size();
  }
  return i;
}

// The end of " am", "p.m." at `i`, or 0.
std::size_t half_of_day(std::string_view t, std::size_t i) {
  if (const std::size_t next = after_space(t, i)) i = next;
  for (const std::string_view half : words({"a.m.", "p.m.", "a.m", "p.m", "am", "pm"})) {
    if (continues(t, i, half) && !word_at(t, i + half.size())) return i + half.size();
  }
  return 0;
}

// The end of "1.30 p.m." at `i`, or 0.
std::size_t dotted_clock(std::string_view t, std::size_t i) {
  const std::size_t hour = digits(t, i, 3);
  if (hour == i || hour > i + 2 || value_of(t, i, hour) > 24 || peek(t, hour) != '.') return 0;
  const std::size_t end = digits(t, hour + 1, 3);
  return end == hour + 3 && t[hour + 1] <= '5' ? half_of_day(t, end) : 0;
}

// The end of a day of the week with a capital at `at`, or 0.
std::size_t day_of_week(std::string_view t, std::size_t at) {
  for (const std::string_view day : kDays) {
    if (continues(t, at, day)) return word_at(t, at + day.size()) ? 0 : at + day.size();
  }
  return 0;
}

struct MonthAt {
  std::size_t end = 0;  // with the full stop of a cut one; 0: there is none
  MonthName name;
  bool sure = false;  // in this place nothing else than a month
};

// The month at `i`, whole or cut. `dotted`: the number in front of it ends in a full stop, as days do in German.
MonthAt month(std::string_view t, std::size_t i, bool dotted = false) {
  std::size_t end = i;
  while (end - i < 12 && end < t.size() && (is_alpha(t[end]) || (!is_ascii(t[end]) && word_at(t, end))))
    end = decode(t, end).next;
  if (end - i < 3 || end - i > 11 || word_at(t, end)) return {};
  const auto named = month_named(t.substr(i, end - i));
  if (!named) return {};
  const bool english = named->calendar == Calendar::kEnglish;
  // Capitals are what tells "March" and "Jan" from words. Other languages need not have them.
  const bool sure = (english && is_upper(t[i])) || (!named->cut && (!named->word || (dotted && !english)));
  return {named->cut && peek(t, end) == '.' ? end + 1 : end, *named, sure};
}

// The end of a day of the month at `i`, with or without st, nd, rd, th, er, a ring or an o above, or 0.
std::size_t day(std::string_view t, std::size_t i) {
  std::size_t end = digits(t, i, 3);
  if (end == i || end > i + 2) return 0;
  const int value = value_of(t, i, end);
  if (value < 1 || value > 31) return 0;
  for (const std::string_view suffix : words({"st", "nd", "rd", "th", "er", "\xC2\xBA", "\xC2\xB0"})) {
    if (!continues(t, end, suffix)) continue;
    end += suffix.size();
    break;
  }
  return word_at(t, end) ? 0 : end;
}

// The end of "5-7", "5 to 7" whose first day ends at `i`, or `i`.
std::size_t to_day(std::string_view t, std::size_t i) {
  for (const std::string_view between :
       words({"-",    "/",   " - ", " to ", " and ", " & ",  " or ", " bis ", " und ",  " au ",  " et ",
              " al ", " y ", " e ", " a ",  " tot ", " en ", ".-",   ". - ",  ". bis ", ". und "})) {
    if (!continues(t, i, between)) continue;
    if (const std::size_t end = day(t, i + between.size())) return end;
  }
  return i;
}

// The index behind "of ", "de ", "del " at `i`, or `i`.
std::size_t after_of(std::string_view t, std::size_t i) {
  for (const std::string_view of : words({"of ", "de ", "del "})) {
    if (continues(t, i, of)) return i + of.size();
  }
  return i;
}

// The end of "'80" at `i`, or 0.
std::size_t short_year(std::string_view t, std::size_t i) {
  const std::size_t from = peek(t, i) == '\'' ? i + 1 : continues(t, i, "\xE2\x80\x99") ? i + 3 : 0;
  return from != 0 && digits(t, from, 3) == from + 2 && !word_at(t, from + 2) ? from + 2 : 0;
}

// The end of ", 2021" or " 2021" or " of 2021" or ", '21" at `i`, or 0.
std::size_t trailing_year(std::string_view t, std::size_t i) {
  if (peek(t, i) == ',') ++i;
  std::size_t next = after_space(t, i);
  if (next == 0) return 0;
  if (const std::size_t end = short_year(t, next)) return end;
  const std::size_t end = plain_year(t, after_of(t, next));
  return end != 0 && !(peek(t, end) == '/' && is_digit(peek(t, end + 1))) ? end : 0;
}

// 3 March 2021, 3rd of March 2021, 3 March, 5-7 March 2010, 5-Jan-80, 5. Januar 1980, 5 de enero de 1980
std::size_t day_first(std::string_view t, std::size_t at) {
  std::size_t i = day(t, at);
  if (i == 0) return 0;
  if (at > 0 && t[at - 1] == '.' && at > 1 && is_digit(t[at - 2])) return 0;
  const std::size_t last = to_day(t, i);
  const bool dotted = peek(t, last) == '.';
  const char joint = peek(t, last);
  if (joint == '-' || joint == '/') {  // one sign on both sides, and the year may be short
    const MonthAt named = month(t, last + 1);
    if (named.end == 0) return 0;
    if (peek(t, named.end) == joint) {
      const std::size_t year = named.end + 1;
      std::size_t end = plain_year(t, year);
      if (end == 0 && digits(t, year, 3) == year + 2 && !word_at(t, year + 2)) end = year + 2;
      if (end != 0 && peek(t, end) == ':' && clock(t, end + 1) != 0) return zoned(t, clock(t, end + 1));
      if (end != 0) return end;
    }
    if (joint == '/') return 0;
    if (const std::size_t end = trailing_year(t, named.end)) return end;
    return !named.sure ? 0 : t[named.end - 1] == '.' ? named.end - 1 : named.end;
  }
  const std::size_t next = after_space(t, dotted ? last + 1 : last);
  const std::size_t from = next != 0 ? after_of(t, next) : dotted ? last + 1 : 0;
  if (from == 0) return 0;
  const MonthAt named = month(t, from, dotted);
  if (named.end == 0) return 0;
  if (peek(t, named.end) == '-') {
    if (const std::size_t end = plain_year(t, named.end + 1)) return end;
  }
  if (const std::size_t end = trailing_year(t, named.end)) return end;
  if (!named.sure && from == next) return 0;
  // The full stop of a cut month may be that of the sentence: both readings are the same date.
  return t[named.end - 1] == '.' ? named.end - 1 : named.end;
}

// March 3rd, 2021; March 5-7, 2010; March 2021; March 3; enero de 2021
std::size_t month_first(std::string_view t, std::size_t at) {
  // Most words are followed by another one: ask that first.
  std::size_t word = at;
  while (word < t.size() && (is_alpha(t[word]) || !is_ascii(t[word])) && word - at < 16) ++word;
  if (word < at + 3) return 0;
  if (peek(t, word) == '.') ++word;
  if (peek(t, word) == ',') ++word;
  const char behind = peek(t, word) == ' ' ? peek(t, word + 1) : ' ';
  if (!is_digit(behind) && behind != '\'' && behind != 'd' && behind != 'o' && is_ascii(behind)) return 0;
  const MonthAt named = month(t, at);
  if (named.end == 0) return 0;
  const std::size_t next = after_space(t, named.end);
  if (next == 0) return 0;
  const bool english = named.name.calendar == Calendar::kEnglish;
  const bool capital = english && is_upper(t[at]);
  if (const std::size_t end = trailing_year(t, named.end)) {
    const bool planet = named.name.calendar == Calendar::kFrench && named.name.word && is_upper(t[at]);
    const bool refused = planet || (!english && named.name.cut) || (!capital && unit_follows(t, end));
    return refused ? 0 : end;
  }
  if (!english) return 0;
  std::size_t on = day(t, next);
  if (on == 0) return 0;
  on = to_day(t, on);
  if (const std::size_t end = trailing_year(t, on)) return end;
  if (!named.sure) return 0;
  const char after = peek(t, on);
  if ((after == '.' || after == ',' || after == '/' || after == '-' || after == ':') && is_digit(peek(t, on + 1)))
    return 0;
  return unit_follows(t, on) ? 0 : on;
}

// 20210303T101500Z
std::size_t basic_date(std::string_view t, std::size_t at) {
  if (digits(t, at, 9) != at + 8 || peek(t, at + 8) != 'T') return 0;
  const int month = value_of(t, at + 4, at + 6), on = value_of(t, at + 6, at + 8);
  const int year = value_of(t, at, at + 4);
  if (year < 1800 || year >= 2200 || month < 1 || month > 12 || on < 1 || on > 31) return 0;
  std::size_t end = digits(t, at + 9, 7);
  if (end != at + 13 && end != at + 15) return 0;
  end = zoned(t, end);
  return word_at(t, end) ? 0 : end;
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
    const bool whole = b == a + 3 && c == b + 3;  // 2021-00-00: only the year is known
    if (c > b + 3 || second > 12 || third > 31 || (!whole && (second < 1 || third < 1))) return 0;
    if ((peek(t, c) == ' ' || peek(t, c) == 'T') && clock(t, c + 1) != 0) {
      c = zoned(t, clock(t, c + 1));
    } else if (peek(t, c) == 'T' && is_digit(peek(t, c + 1))) {
      const std::size_t time = digits(t, c + 1, 7);  // 2021-03-03T1015
      if (time == c + 5 || time == c + 7) c = zoned(t, time);
    }
  } else {
    // There is no 13/13/2021 and no 99/99/2021; whoever wrote it meant that year.
    const bool meant = separator != '-' && a - at == 2 && b == a + 3 && c == b + 5;
    if (!meant && (first < 1 || first > 31 || second < 1 || second > 31 || (first > 12 && second > 12))) return 0;
    const bool two_digit_year = c == b + 3;
    if (two_digit_year ? separator != '/' && (a - at != 2 || b - a != 3) : plain_year(t, b + 1) == 0) return 0;
  }
  const char after = peek(t, c);
  if (word_at(t, c) || ((after == separator || after == '.' || after == '/') && is_digit(peek(t, c + 1)))) return 0;
  return separator == '.' && after_version(t, at) ? 0 : c;
}

// Is a year that stands at [at, end) more than a number of that size: "in 1977", "(1977)", "a 1977 film"?
bool said_as_year(std::string_view t, std::size_t at, std::size_t end, int before = 1) {
  if (unit_follows(t, end) || (at > 0 && t[at - 1] == '-')) return false;
  if (at > 0 && t[at - 1] == '(' && (peek(t, end) == ')' || peek(t, end) == ',')) return true;
  constexpr auto kBefore = std::to_array<std::string_view>(
      {"in",    "since", "until", "till",   "during", "from",   "before", "after",  "year",
       "early", "late",  "mid",   "spring", "summer", "autumn", "fall",   "winter", "of",
       "by",    "born",  "year",  "around", "circa",  "about",  "between"});
  constexpr auto kArticle = std::to_array<std::string_view>({"a", "the", "an"});
  const std::string_view word = word_behind(t, at);
  const auto is = [&](std::string_view one) { return same_word(word, one); };
  if (is_of_a_law(t, end)) return false;
  if (std::ranges::any_of(kBefore, is)) return true;
  const std::string_view around = t.substr(0, at);
  if (around.ends_with(" c. ") || around.ends_with(" ca. ") || around.ends_with("(c. ")) return true;
  if (before > 0 && (is("and") || is("to") || is("or"))) {  // "between 1990 and 1995"
    const auto begin = static_cast<std::size_t>(word.data() - t.data());
    const bool years =
        begin > 5 && plain_year(t, begin - 5) == begin - 1 && t[begin - 1] == ' ' && !word_before(t, begin - 5);
    return years && said_as_year(t, begin - 5, begin - 1, before - 1);
  }
  return std::ranges::any_of(kArticle, is) && peek(t, end) == ' ' && is_alpha(peek(t, end + 1));
}

}  // namespace

bool is_calendar_word(std::string_view word) {
  const auto same = [&](std::string_view name) { return same_word(word, name); };
  const auto month = month_named(word, Calendar::kEnglish);
  return (month && !month->cut) || std::ranges::any_of(kDays, same);
}

std::size_t plain_year(std::string_view t, std::size_t i) {
  const std::size_t end = digits(t, i, 5);
  if (end != i + 4) return 0;
  const int value = value_of(t, i, end);
  return value >= 1800 && value < 2200 && !word_at(t, end) ? end : 0;
}

namespace {

// 4MAR2019, 04Mar19
std::size_t joined_date(std::string_view t, std::size_t at) {
  const std::size_t day = digits(t, at, 3);
  if (day > at + 2 || value_of(t, at, day) < 1 || value_of(t, at, day) > 31 || !is_upper(peek(t, day))) return 0;
  const auto named = month_named(t.substr(day, 3), Calendar::kEnglish);
  if (!named || !is_digit(peek(t, day + 3))) return 0;
  if (const std::size_t end = plain_year(t, day + 3)) return end;
  const std::size_t end = digits(t, day + 3, 3);
  return end == day + 5 && !word_at(t, end) ? end : 0;
}

// 3. 5. 1975
std::size_t spaced_date(std::string_view t, std::size_t at) {
  std::size_t i = at;
  for (const int most : {31, 12}) {
    const std::size_t end = digits(t, i, 3);
    if (end == i || end > i + 2 || value_of(t, i, end) < 1 || value_of(t, i, end) > most || peek(t, end) != '.')
      return 0;
    i = after_space(t, end + 1);
    if (i == 0) return 0;
  }
  const bool goes_on = at > 1 && t[at - 1] == '.' && is_digit(t[at - 2]);
  return goes_on ? 0 : plain_year(t, i);
}

std::size_t any_date(std::string_view t, std::size_t at) {
  if (is_digit(t[at])) {
    const std::size_t numeric = numeric_date(t, at);
    if (numeric != 0) return numeric;
    if (const std::size_t joined = joined_date(t, at)) return joined;
    if (const std::size_t spaced = spaced_date(t, at)) return spaced;
    const std::size_t named = day_first(t, at);
    return named != 0 ? named : basic_date(t, at);
  }
  const std::size_t named = month_first(t, at);
  return named != 0 || !is_upper(t[at]) ? named : day_of_week(t, at);
}

}  // namespace

std::size_t date(std::string_view t, std::size_t at) {
  const std::size_t end = any_date(t, at);
  if (end == 0) return period(t, at);
  return dates_a_law(t, at) ? 0 : end;
}

std::size_t year(std::string_view t, std::size_t at) {
  if (const std::size_t years = decade(t, at)) return years;
  if (const std::size_t years = school_year(t, at)) return said_as_year(t, at, years) ? years : 0;
  std::size_t end = plain_year(t, at);
  if (end == 0) return 0;
  if (peek(t, end) == '-') {  // "in 1990-1995", "in 1990-95"
    const std::size_t second = digits(t, end + 1, 5);
    const bool years = second == end + 3
                           ? value_of(t, end + 1, second) > value_of(t, at + 2, end)
                           : plain_year(t, end + 1) != 0 && value_of(t, end + 1, second) > value_of(t, at, end);
    if (!years || peek(t, second) == '-') return 0;
    end = second;
  }
  return stands_alone(t, at, end) && said_as_year(t, at, end) ? end : 0;
}

std::size_t time(std::string_view t, std::size_t at) {
  if (at > 0 && std::string_view(":.,/-").find(t[at - 1]) != std::string_view::npos && at > 1 && is_alnum(t[at - 2]))
    return 0;
  if (const std::size_t end = dotted_clock(t, at)) return end;
  if (const std::size_t end = clock(t, at)) {
    if (const std::size_t half = half_of_day(t, end)) return half;
    if (const std::size_t zone = zoned(t, end); zone != end) return zone;
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
  for (const std::string_view clock_word : words({"o'clock",
                                                  "o\xE2\x80\x99"
                                                  "clock"})) {
    if (next != 0 && continues(t, next, clock_word)) return next + clock_word.size();
  }
  return 0;
}

}  // namespace residue::text::match
