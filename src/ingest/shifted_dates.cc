// Dates and times moved, in the form that they are written in.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "ingest/surrogates.h"
#include "text/unicode.h"

namespace residue::ingest {
namespace {

constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A run of digits or letters of a date, or what is between two.
struct Part {
  std::string_view text;
  int value = -1;  // of digits
  int month = -1;  // 1 to 12: the name of a month
};

int month_of(std::string_view word) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (word.size() >= 3 && word.size() <= kMonths[i].size() &&
        text::lower(kMonths[i].substr(0, word.size())) == text::lower(word))
      return static_cast<int>(i) + 1;
  }
  return text::lower(word) == "sept" ? 9 : -1;
}

std::vector<Part> parts_of(std::string_view date) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < date.size();) {
    std::size_t end = i + 1;
    const auto same = [&](char c) {
      return digit(date[i]) ? digit(c) : letter(date[i]) ? letter(c) : !digit(c) && !letter(c);
    };
    while (end < date.size() && same(date[end])) ++end;
    Part part{date.substr(i, end - i)};
    if (digit(date[i]) && end - i <= 4) part.value = std::stoi(std::string(part.text));
    if (letter(date[i])) part.month = month_of(part.text);
    parts.push_back(part);
    i = end;
  }
  return parts;
}

// In the letters of `like`: all capitals, or as it is; cut to as many letters where that one was cut.
std::string in_form(std::string_view name, std::string_view like, std::string_view whole) {
  std::string made(like.size() < whole.size() && like.size() <= 4 ? name.substr(0, 3) : name);
  if (std::ranges::none_of(like, [](char c) { return c >= 'a' && c <= 'z'; })) {
    for (char& c : made) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  } else if (like[0] >= 'a') {
    made = text::lower(made);
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
    return in_form(kDays[moved], date, kDays[i]);
  }
  return {};
}

// Which parts say day, month and year; the same number for none.
struct Roles {
  std::optional<std::size_t> day, month, year;
};

std::optional<Roles> roles_of(const std::vector<Part>& parts) {
  Roles roles;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].month > 0 && !roles.month) roles.month = i;
    if (parts[i].value >= 0) numbers.push_back(i);
  }
  if (roles.month) {
    for (const std::size_t i : numbers) (parts[i].text.size() == 4 ? roles.year : roles.day) = i;
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

}  // namespace

std::string shifted_date(std::string_view date, int days) {
  if (const std::string name = day_of_week(date, days); !name.empty()) return name;
  const std::vector<Part> parts = parts_of(date);
  const auto roles = roles_of(parts);
  if (!roles) return {};
  const auto value = [&](const std::optional<std::size_t>& role, int otherwise) {
    if (!role) return otherwise;
    return parts[*role].month > 0 ? parts[*role].month : parts[*role].value;
  };
  int written_year = value(roles->year, 2001);
  if (written_year < 100) written_year += 1900;
  const std::chrono::year_month_day before{std::chrono::year{written_year},
                                           std::chrono::month{static_cast<unsigned>(value(roles->month, 7))},
                                           std::chrono::day{static_cast<unsigned>(value(roles->day, 1))}};
  if (!before.ok()) return {};
  const std::chrono::year_month_day after{std::chrono::sys_days{before} + std::chrono::days{days}};
  std::string moved;
  // 31.12.1999 and 1999-12-31 are written with zeros, 12/31/1999 mostly is not.
  const bool zeros =
      date.find_first_of(".-") != std::string_view::npos && date.find_first_of("/ ") > date.find_first_of(".-");
  const bool numeric = !roles->month || parts[*roles->month].month < 0;
  std::size_t last = 0;  // the last part of the date: a time of day may follow
  for (const auto& role : {roles->day, roles->month, roles->year}) last = std::max(last, role.value_or(0));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == roles->year) {
      moved += padded(static_cast<int>(after.year()), parts[i].text);
    } else if (i == roles->month && parts[i].month > 0) {
      const std::string_view whole = kMonths[static_cast<std::size_t>(parts[i].month) - 1];
      moved += in_form(kMonths[static_cast<unsigned>(after.month()) - 1], parts[i].text, whole);
    } else if (i == roles->month) {
      moved += padded(static_cast<int>(static_cast<unsigned>(after.month())), parts[i].text,
                      zeros && parts[i].text.size() == 2);
    } else if (i == roles->day) {
      const int day_number = static_cast<int>(static_cast<unsigned>(after.day()));
      moved += padded(day_number, parts[i].text, numeric && zeros && parts[i].text.size() == 2);
      const bool counted = i + 1 < parts.size() && letter(parts[i + 1].text[0]) && parts[i + 1].text.size() == 2 &&
                           parts[i + 1].text != "of" && parts[i + 1].month < 0;
      if (counted) moved += ordinal(day_number);
      if (counted) ++i;
    } else if (i > last && parts[i].value >= 0) {
      std::string_view rest = date.substr(static_cast<std::size_t>(parts[i].text.data() - date.data()));
      const std::string time = shifted_time(rest, days);
      return moved + (time.empty() ? std::string(rest) : time);
    } else {
      moved += parts[i].text;
    }
  }
  return moved;
}

std::string shifted_time(std::string_view time, int minutes) {
  std::vector<std::size_t> at;  // of each number
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (digit(time[i]) && (i == 0 || !digit(time[i - 1]))) at.push_back(i);
  }
  if (at.empty()) return {};
  const auto number = [&](std::size_t i) {
    std::size_t end = at[i];
    while (end < time.size() && digit(time[end])) ++end;
    return time.substr(at[i], end - at[i]);
  };
  const std::string_view hour = number(0);
  if (hour.size() > 2) return {};
  const bool has_minutes = at.size() > 1 && time[at[0] + hour.size()] == ':' && number(1).size() == 2;
  const bool halves = time.find_first_of("apAP", at[0]) != std::string_view::npos || !has_minutes;
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
  return made.append(fmt::format(":{:02}", moved % 60)).append(time.substr(at[1] + 2));
}

}  // namespace residue::ingest
