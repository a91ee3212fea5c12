// Times that are longer than a day and shorter than a life: quarters, seasons, halves of years, decades, school years.
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "text/identifiers/matchers.h"

namespace residue::text::match {

namespace {

constexpr auto kSeasons = std::to_array<std::string_view>({"spring", "summer", "autumn", "fall", "winter"});

// "/07" or "/2007" or "-07" behind the year that ends at `end`, where that is the next one: the end of it, or 0.
std::size_t next_year(std::string_view t, std::size_t end) {
  if (peek(t, end) != '/' && peek(t, end) != '-') return 0;
  const std::size_t second = digits(t, end + 1, 5);
  const int next = value_of(t, end - 4, end) + 1;
  const bool follows = second == end + 3   ? value_of(t, end + 1, second) == next % 100
                       : second == end + 5 ? value_of(t, end + 1, second) == next
                                           : false;
  const char sign = peek(t, second);
  return follows && !word_at(t, second) && sign != '/' && sign != '-' ? second : 0;
}

// The end of "2008", "2008/09" or "2008-09" at `i`, or 0.
std::size_t year_or_two(std::string_view t, std::size_t i) {
  const std::size_t end = plain_year(t, i);
  if (end == 0) return 0;
  if (const std::size_t second = next_year(t, end)) return second;
  const bool goes_on = std::string_view(".,:/-").find(peek(t, end)) != std::string_view::npos && word_at(t, end + 1);
  return goes_on || unit_follows(t, end) ? 0 : end;
}

// The end of the quarter at `i`, "Q3", or 0.
std::size_t quarter(std::string_view t, std::size_t i) {
  const char which = peek(t, i + 1);
  return peek(t, i) == 'Q' && which >= '1' && which <= '4' && !word_at(t, i + 2) ? i + 2 : 0;
}

}  // namespace

std::size_t decade(std::string_view t, std::size_t at) {
  const std::size_t end = digits(t, at, 5);
  const bool whole = end == at + 4 && value_of(t, at, end) >= 1800 && value_of(t, at, end) < 2200;
  const bool cut = end == at + 2 && at > 0 && t[at - 1] == '\'';
  if ((!whole && !cut) || t[end - 1] != '0') return 0;
  const std::size_t mark = peek(t, end) == '\'' ? end + 1 : end;  // "the 1990's"
  return peek(t, mark) == 's' && !word_at(t, mark + 1) ? mark + 1 : 0;
}

std::size_t school_year(std::string_view t, std::size_t at) {
  const std::size_t end = plain_year(t, at);
  return end != 0 && peek(t, end) == '/' ? next_year(t, end) : 0;
}

std::size_t period(std::string_view t, std::size_t at) {
  if (is_digit(t[at])) {  // "2008 Q3"
    const std::size_t end = plain_year(t, at);
    if (end == 0 || std::string_view(" /-").find(peek(t, end)) == std::string_view::npos) return 0;
    return quarter(t, end + 1);
  }
  if (const std::size_t end = quarter(t, at)) {
    const std::size_t joint = continues(t, end, " of ") ? end + 4 : end + 1;
    return std::string_view(" /-").find(peek(t, end)) != std::string_view::npos ? year_or_two(t, joint) : 0;
  }
  for (const std::string_view season : kSeasons) {
    if (!continues(t, at, season)) continue;
    const std::size_t end = at + season.size();
    return year_or_two(t, continues(t, end, " of ") ? end + 4 : peek(t, end) == ' ' ? end + 1 : end);
  }
  for (const std::string_view part : words({"mid", "early", "late"})) {
    if (!continues(t, at, part)) continue;
    const std::size_t end = at + part.size();
    if (peek(t, end) != '-' && (peek(t, end) != ' ' || part != "mid")) return 0;
    if (const std::size_t years = decade(t, end + 1)) return years;
    return year_or_two(t, end + 1);
  }
  return 0;
}

}  // namespace residue::text::match
