#include "verbs/runs/date.h"

#include <charconv>
#include <chrono>

namespace residue::verbs {
namespace {

namespace time = std::chrono;

// `digits` digits, taken off the word; nothing where they are not there.
std::optional<int> take(std::string_view& word, std::size_t digits) {
  if (word.size() < digits) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + digits, number);
  if (error != std::errc() || end != word.data() + digits || word.front() == '-') return std::nullopt;
  word.remove_prefix(digits);
  return number;
}

bool take_sign(std::string_view& word, char sign) {
  if (word.empty() || word.front() != sign) return false;
  word.remove_prefix(1);
  return true;
}

std::int64_t ms_of(time::sys_days day) { return time::milliseconds(day.time_since_epoch()).count(); }

// THH:MM[:SS][Z] behind a day.
std::optional<TimeSpan> read_clock(std::string_view word, std::int64_t day) {
  const auto hour = take(word, 2);
  if (!hour || *hour > 23 || !take_sign(word, ':')) return std::nullopt;
  const auto minute = take(word, 2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t begin = day + (*hour * 60 + *minute) * 60'000LL, length = 60'000;
  if (take_sign(word, ':')) {
    const auto second = take(word, 2);
    if (!second || *second > 59) return std::nullopt;
    begin += *second * 1'000LL;
    length = 1'000;
  }
  take_sign(word, 'Z');
  if (!word.empty()) return std::nullopt;
  return TimeSpan{begin, begin + length};
}

}  // namespace

std::optional<TimeSpan> read_time(std::string_view word) {
  const auto year = take(word, 4);
  if (!year || *year < 1970) return std::nullopt;
  const time::year y(*year);
  if (word.empty()) return TimeSpan{ms_of(y / 1 / 1), ms_of((y + time::years(1)) / 1 / 1)};
  if (!take_sign(word, '-')) return std::nullopt;
  const auto month = take(word, 2);
  if (!month || *month < 1 || *month > 12) return std::nullopt;
  const time::year_month ym = y / time::month(static_cast<unsigned>(*month));
  if (word.empty()) return TimeSpan{ms_of(ym / 1), ms_of((ym + time::months(1)) / 1)};
  if (!take_sign(word, '-')) return std::nullopt;
  const auto day = take(word, 2);
  if (!day) return std::nullopt;
  const time::year_month_day date = ym / time::day(static_cast<unsigned>(*day));
  if (!date.ok()) return std::nullopt;
  const std::int64_t begin = ms_of(date);
  if (word.empty()) return TimeSpan{begin, begin + 86'400'000};
  if (!take_sign(word, 'T')) return std::nullopt;
  return read_clock(word, begin);
}

}  // namespace residue::verbs
