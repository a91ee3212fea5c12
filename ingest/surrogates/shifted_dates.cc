#include "ingest/surrogates/shifted_dates.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/folding.h"
#include "text/characters/unicode.h"
#include "text/identifiers/calendar.h"

namespace residue::ingest {
namespace {

constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A letter of a month's name: the languages of text/calendar.h have some of Latin-1.
bool letter_at(std::string_view date, std::size_t i) {
  if (letter(date[i])) return true;
  const char32_t point = text::code_point_at(date, i).value;
  return point >= 0xC0 && point < 0x180 && point != 0xD7 && point != 0xF7;
}

// A run of digits or letters of a date, or what is between two.
struct Part {
  std::string_view text;
  int value = -1;  // of digits
  std::optional<text::MonthName> month = std::nullopt;
};

// The language of a name that several have: by the words and signs around it.
std::optional<text::MonthName> month_of(std::string_view word, std::string_view date) {
  using enum text::Calendar;
  const std::size_t at = static_cast<std::size_t>(word.data() - date.data());
  const bool dotted = at > 1 && date.substr(0, at).find(". ") != std::string_view::npos;
  if (date.find(" de ") != std::string_view::npos) {
    for (const auto calendar : {kSpanish, kPortuguese}) {
      if (const auto month = text::month_named(word, calendar)) return month;
    }
  }
  if (dotted) {
    if (const auto month = text::month_named(word, kGerman)) return month;
  }
  return text::month_named(word);
}

std::vector<Part> parts_of(std::string_view date) {
  const auto kind = [&](std::size_t i) { return is_digit(date[i]) ? 0 : letter_at(date, i) ? 1 : 2; };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < date.size();) {
    std::size_t end = i + text::code_point_at(date, i).bytes;
    while (end < date.size() && kind(end) == kind(i)) end += text::code_point_at(date, end).bytes;
    if (end - i == 8 && is_digit(date[i])) {  // 20210303T101500Z
      for (const auto& [from, size] : {std::pair{i, 4U}, {i + 4, 2U}, {i + 6, 2U}})
        parts.push_back({date.substr(from, size), std::stoi(std::string(date.substr(from, size))), std::nullopt});
      i = end;
      continue;
    }
    Part part{date.substr(i, end - i)};
    if (is_digit(date[i]) && end - i <= 4) part.value = std::stoi(std::string(part.text));
    if (kind(i) == 1) part.month = month_of(part.text, date);
    parts.push_back(part);
    i = end;
  }
  return parts;
}

// In the letters of `like`: all capitals, or the first one, or none.
std::string in_letters(std::string made, std::string_view like) {
  const bool capital = !is_digit(like[0]) && text::lower(like.substr(0, 1)) != like.substr(0, 1);
  if (!capital) return text::lower(made);
  const bool all = like.size() > 1 && std::ranges::none_of(like, [](char c) { return c >= 'a' && c <= 'z'; });
  for (std::size_t i = 0; i < made.size() && (all || i == 0); ++i) {
    const bool latin = i > 0 && made[i - 1] == '\xC3' && static_cast<unsigned char>(made[i]) >= 0xA0;
    if ((made[i] >= 'a' && made[i] <= 'z') || latin)
      made[i] = static_cast<char>(static_cast<unsigned char>(made[i]) - 32);
  }
  return made;
}

// As many digits as `like` has where that has leading zeros, or where `fixed` says that such dates have them.
std::string padded(int value, std::string_view like, bool fixed = false) {
  if (like.size() == 2 && value > 99) value %= 100, fixed = true;
  return fixed || like[0] == '0' ? fmt::format("{:0{}}", value, like.size()) : fmt::format("{}", value);
}

std::string_view ordinal(int day) {
  if (day / 10 == 1) return "th";
  return day % 10 == 1 ? "st" : day % 10 == 2 ? "nd" : day % 10 == 3 ? "rd" : "th";
}

std::string day_of_week(std::string_view date, int days) {
  for (std::size_t i = 0; i < kDays.size(); ++i) {
    if (text::lower(kDays[i]) != text::lower(date)) continue;
    const auto moved = (static_cast<std::size_t>(days % 7 + 7) + i) % 7;
    return in_letters(std::string(kDays[moved]), date);
  }
  return {};
}

// Which parts say day, month and year. `until`: of "5-7 March" the second day.
struct Roles {
  std::optional<std::size_t> day, until, month, year;
};

// With the name of a month: what has four digits is the year, or what stands behind an apostrophe, or, where a day is
// in front of the month and nothing but a sign behind it ("5-Jan-80"), what stands there.
void named_roles(const std::vector<Part>& parts, Roles& roles) {
  for (std::size_t i = 0; i < parts.size() && !(roles.year && roles.day); ++i) {
    if (parts[i].value < 0) continue;
    const std::string_view before = i > 0 ? parts[i - 1].text : std::string_view();
    const bool apostrophe = before.ends_with('\'') || before.ends_with("\xE2\x80\x99");
    const bool joined =
        roles.day && *roles.day < *roles.month && i == *roles.month + 2 && before.find(' ') > before.size();
    if (parts[i].text.size() == 4 || apostrophe || joined) {
      roles.year = i;
      if (i > *roles.month) break;
    } else if (!roles.day) {
      roles.day = i;
    } else if (!roles.until && (i < *roles.month || *roles.day > *roles.month)) {
      roles.until = i;
    }
    // What follows a whole date is a time of day; of a range the year is behind the second day.
  }
  if (!roles.day || (roles.year && roles.until)) return;
  for (std::size_t i = *roles.day + 1; i < parts.size() && !roles.year; ++i) {
    if (parts[i].value >= 0 && parts[i].text.size() == 4) roles.year = i;
  }
}

std::optional<Roles> roles_of(const std::vector<Part>& parts) {
  Roles roles;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].month && !roles.month) roles.month = i;
    if (parts[i].value >= 0) numbers.push_back(i);
  }
  if (roles.month) {
    named_roles(parts, roles);
    return roles;
  }
  if (numbers.size() == 1 && parts[numbers[0]].text.size() == 4) roles.year = numbers[0];
  if (numbers.size() == 2) roles.month = numbers[0], roles.year = numbers[1];
  if (numbers.size() >= 3) {
    const bool year_first = parts[numbers[0]].text.size() == 4;
    const bool day_first =
        parts[numbers[0]].value > 12 || (parts[numbers[1]].value <= 12 && parts[numbers[0] + 1].text != "/");
    roles.year = numbers[year_first ? 0 : 2];
    roles.month = numbers[year_first || day_first ? 1 : 0];
    roles.day = numbers[year_first ? 2 : day_first ? 0 : 1];
  }
  if (!roles.year) return std::nullopt;
  return roles;
}

// The date that the parts say; of a day or month that there is not ("30 February") the last one that there is.
std::chrono::year_month_day date_of(const std::vector<Part>& parts, const Roles& roles) {
  const auto value = [&](const std::optional<std::size_t>& role, int otherwise) {
    if (!role) return otherwise;
    return parts[*role].month ? parts[*role].month->month : parts[*role].value;
  };
  const bool leap = value(roles.month, 7) == 2 && value(roles.day, 1) == 29;
  int year = value(roles.year, leap ? 2004 : 2001);
  if (year < 100) year += year < 30 ? 2000 : 1900;
  const std::chrono::year_month month{
      std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(std::clamp(value(roles.month, 7), 1, 12))}};
  const std::chrono::day last = (month / std::chrono::last).day();
  const auto day = static_cast<unsigned>(std::max(value(roles.day, 1), 1));
  return month / std::min(std::chrono::day{day}, last);
}

int number(std::chrono::day day) { return static_cast<int>(static_cast<unsigned>(day)); }

// A range of days is moved as a whole and by less where it would end in the next month; one that is longer than the
// month becomes the month.
std::chrono::year_month_day moved_by(std::chrono::year_month_day date, int days, int& length) {
  const std::chrono::year_month_day after{std::chrono::sys_days{date} + std::chrono::days{days}};
  const int last = number((after.year() / after.month() / std::chrono::last).day());
  length = std::min(length, last - 1);
  const int day = std::min(number(after.day()), last - length);
  return after.year() / after.month() / std::chrono::day{static_cast<unsigned>(day)};
}

// "Q3 2008", "summer of 1998", "mid-1990s": what stands beside the year stays.
bool is_period(const std::vector<Part>& parts) {
  constexpr auto kWords =
      std::to_array<std::string_view>({"q", "spring", "summer", "autumn", "fall", "winter", "mid", "early", "late"});
  return std::ranges::any_of(
      parts, [&](const Part& part) { return std::ranges::find(kWords, text::lower(part.text)) != kWords.end(); });
}

// The years that a number of days is: the same for every year of a record, however it is written.
int whole_years(int days) { return days < 0 ? -((-days + 182) / 365) : (days + 182) / 365; }

// Decades move by decades, other years by the whole years of `days`, "the '80s" and the second one of "2005/06" too.
std::string moved_period(const std::vector<Part>& parts, int days) {
  const bool decade = parts.size() > 1 && parts.back().text == "s";
  const int years = whole_years(days);
  const int decades = (years < 0 ? -10 : 10) * (years > 2 || years < -2 ? 2 : 1);
  std::string moved;
  for (const Part& part : parts) {
    if (part.value < 0 || part.text.size() == 1) {
      moved += part.text;
    } else if (part.text.size() == 2) {
      moved += fmt::format("{:02}", (part.value + (decade ? decades : years) + 100) % 100);
    } else {
      moved += fmt::format("{:04}", part.value + (decade ? decades : years));
    }
  }
  return moved;
}

}  // namespace

std::string shifted_date(std::string_view date, int days) {
  if (const std::string name = day_of_week(date, days); !name.empty()) return name;
  if (const std::vector<Part> parts = parts_of(date); is_period(parts)) return moved_period(parts, days);
  const std::vector<Part> parts = parts_of(date);
  const auto roles = roles_of(parts);
  if (!roles) return {};
  int length = roles->until ? std::max(parts[*roles->until].value - parts[*roles->day].value, 0) : 0;
  const auto after = moved_by(date_of(parts, *roles), days, length);
  const std::string plain = text::folded(date);
  // 31.12.1999 and 1999-12-31 are written with zeros, 12/31/1999 mostly is not.
  const bool compact = parts.size() > 1 && is_digit(parts[0].text[0]) && is_digit(parts[1].text[0]);
  const bool zeros = compact || (plain.find_first_of(".-") != std::string::npos &&
                                 plain.find_first_of("/ ") > plain.find_first_of(".-"));
  const bool numeric = !roles->month || !parts[*roles->month].month;
  std::size_t last = 0;  // the last part of the date: a time of day may follow
  for (const auto& role : {roles->day, roles->until, roles->month, roles->year})
    last = std::max(last, role.value_or(0));
  std::string moved;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string_view written = parts[i].text;
    if (i == roles->year) {
      moved += padded(static_cast<int>(after.year()), written, written.size() == 2);
    } else if (i == roles->month && parts[i].month) {
      const auto month = static_cast<int>(static_cast<unsigned>(after.month()));
      moved += in_letters(std::string(text::month_name(parts[i].month->calendar, month, parts[i].month->cut)), written);
    } else if (i == roles->month) {
      moved += padded(static_cast<int>(static_cast<unsigned>(after.month())), written, zeros && written.size() == 2);
    } else if (i == roles->day || i == roles->until) {
      const int day_number = number(after.day()) + (i == roles->until ? length : 0);
      moved += padded(day_number, written, numeric && zeros && written.size() == 2);
      if (i + 1 == parts.size() || !letter(parts[i + 1].text[0]) || parts[i + 1].month) continue;
      const std::string_view suffix = parts[i + 1].text;
      if (suffix.size() != 2) continue;
      moved += suffix != "er" ? ordinal(day_number) : day_number == 1 ? "er" : "";
      ++i;
    } else if (i > last && parts[i].value >= 0) {
      std::string_view rest = date.substr(static_cast<std::size_t>(written.data() - date.data()));
      const std::string time = shifted_time(rest, days);
      return moved + (time.empty() ? std::string(rest) : time);
    } else {
      moved += written;
    }
  }
  return moved;
}

std::string with_other_years(std::string_view words, int days) {
  std::string moved;
  for (const Part& part : parts_of(words)) {
    const bool year = part.value >= 0 && part.text.size() == 4;
    moved += year ? fmt::format("{:04}", (part.value + whole_years(days) + 10'000) % 10'000) : std::string(part.text);
  }
  return moved;
}

std::string shifted_years(std::string_view years, int days) {
  const std::vector<Part> parts = parts_of(years);
  if (parts.back().text == "s") return moved_period(parts, days);
  if (parts.size() == 1 && parts[0].text.size() == 4) return fmt::format("{:04}", parts[0].value + whole_years(days));
  if (parts.size() != 3 || parts[0].value < 0 || parts[2].value < 0 || parts[0].text.size() != 4) return {};
  const bool cut = parts[2].text.size() == 2;
  const int first = parts[0].value + whole_years(days), second = parts[2].value + whole_years(days);
  if (!cut) return fmt::format("{}{}{}", first, parts[1].text, second);
  // "1998-99" is "1999-2000": with two digits it would be none, and by another step it would give away the others'.
  const int end = first - first % 100 + (second + 100) % 100;
  const bool turns = end <= first && parts[1].text != "/";
  return turns ? fmt::format("{}{}{}", first, parts[1].text, end + 100)
               : fmt::format("{}{}{:02}", first, parts[1].text, end % 100);
}

std::string shifted_time(std::string_view time, int minutes) {
  std::vector<std::size_t> at;  // of each number
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (is_digit(time[i]) && (i == 0 || !is_digit(time[i - 1]))) at.push_back(i);
  }
  if (at.empty()) return {};
  const auto number = [&](std::size_t i) {
    std::size_t end = at[i];
    while (end < time.size() && is_digit(time[end])) ++end;
    return time.substr(at[i], end - at[i]);
  };
  const std::string_view hour = number(0);
  if (hour.size() > 2) return {};
  const char joint = at.size() > 1 ? time[at[0] + hour.size()] : '\0';
  const bool has_minutes = (joint == ':' || joint == '.') && number(1).size() == 2;
  const std::size_t word = std::min(time.find_first_not_of("0123456789:. ", at[0]), time.size());
  const bool half = word + 1 < time.size() && std::string_view("apAP").find(time[word]) < 4 &&
                    std::string_view("mM.").find(time[word + 1]) < 3;
  const bool halves = half || !has_minutes;
  const int day = halves ? 720 : 1440;
  const int old = std::stoi(std::string(hour)) * 60 + (has_minutes ? std::stoi(std::string(number(1))) : 0);
  const int step = has_minutes ? minutes % 719 + 720 : 60 * (minutes % 11 + 11 + 1);
  int moved = (old + step) % day;
  if (moved == old % day) moved = (moved + 60) % day;
  int moved_hour = moved / 60;
  if (halves && moved_hour == 0) moved_hour = 12;
  std::string made(time.substr(0, at[0]));
  made += padded(moved_hour, hour.size() == 2 && moved_hour < 10 && !halves ? "00" : hour);
  if (!has_minutes) return made.append(time.substr(at[0] + hour.size()));
  return made.append(fmt::format("{}{:02}", joint, moved % 60)).append(time.substr(at[1] + 2));
}

}  // namespace residue::ingest
