#include "page/release/words.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

namespace residue::page {

std::string number(const std::optional<double>& value) {
  if (!value || std::isnan(*value)) return "–";
  if (*value != 0 && std::abs(*value) < 0.0005) return fmt::format("{:.1e}", *value);
  if (std::abs(*value) >= 1000) return fmt::format("{:.0f}", *value);
  return fmt::format("{:.3f}", *value);
}

std::string as_given(double number) { return fmt::format("{}", number); }

std::string number_beside(const std::optional<double>& value, double limit) {
  constexpr int kLeast = 4, kMost = 17;  // digits: with 17 no two numbers look the same
  std::string shown = number(value);
  if (!value || !std::isfinite(*value) || *value == limit) return shown;
  const auto beside = [&] {
    const double read = std::strtod(shown.c_str(), nullptr);
    return *value < limit ? read < limit : read > limit;
  };
  for (int digits = kLeast; digits <= kMost && !beside(); ++digits) shown = fmt::format("{:.{}f}", *value, digits);
  return shown;
}

std::string interval(const std::optional<double>& low, const std::optional<double>& high) {
  if (!low || !high) return "";
  return fmt::format("[{}, {}]", number(low), number(high));
}

std::string percent(const std::optional<double>& share) {
  if (!share) return "–";
  return fmt::format("{:.1f} %", 100 * *share);
}

std::string count(double number) {
  if (number != std::floor(number)) return fmt::format("{:.1f}", number);
  std::string digits = fmt::format("{:.0f}", number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string day(std::int64_t at_ms) {
  const std::time_t seconds = at_ms / 1000;
  std::tm date{};
  ::gmtime_r(&seconds, &date);
  return fmt::format("{:04}-{:02}-{:02}", date.tm_year + 1900, date.tm_mon + 1, date.tm_mday);
}

void number_cell(Html& html, const std::optional<double>& value, const std::string& shown) {
  const std::string exact = value ? fmt::format("{}", *value) : std::string();
  html.element("td", shown, {{"class", "number"}, {"data-value", exact}});
}

std::string behind(const query::MetricValue& value, const std::string& units) {
  if (!value.hits || !value.units) return "";
  return fmt::format("{} of {} {}", count(*value.hits), count(*value.units), units);
}

}  // namespace residue::page
