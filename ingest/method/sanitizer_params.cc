// The values of methods' parameters against their ranges.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "base/error.h"
#include "ingest/method/sanitizer.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kMostOwnNameBytes = 64;

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

bool admits(const ParamRange& range, std::string_view text) {
  if (text == range.also && (!text.empty() || range.may_be_empty)) return true;
  const auto value = number(text);
  if (!value || !(*value >= range.low && *value <= range.high)) return false;
  return (!range.below || *value < range.high) &&
         (range.kind != ParamRange::Kind::kWhole || *value == std::floor(*value));
}

}  // namespace

std::string words_of(const ParamRange& range) {
  const std::string_view what = range.kind == ParamRange::Kind::kWhole ? "whole number" : "number";
  std::string words = fmt::format("{} from {} to {}", what, range.low, range.high);
  if (range.above) {
    words =
        fmt::format("{} above 0 (at least {}), {} {}", what, range.low, range.below ? "below" : "at most", range.high);
  }
  return words;
}

void check_param(std::string_view method, const SanitizerParam& param, std::string_view value) {
  const ParamRange& range = param.range;
  if (range.kind == ParamRange::Kind::kWords || admits(range, value)) return;
  const std::string_view also = range.also;
  throw Error(
      Code::kUsage,
      fmt::format("{}: {} is not a {}{}{}", method, param.name, words_of(range), also.empty() ? "" : ", nor ", also),
      fmt::format("--param {}={}", param.name,
                  param.default_value.empty() ? fmt::format("{}", range.low) : param.default_value));
}

bool is_own_param_name(std::string_view name) {
  const auto letter = [](char c) { return is_alpha(c) || c == '_'; };
  const auto inside = [&](char c) { return letter(c) || is_digit(c); };
  return !name.empty() && name.size() <= kMostOwnNameBytes && letter(name.front()) && std::ranges::all_of(name, inside);
}

double number_param(const SanitizerSetting& setting, const std::string& name) {
  const std::string& text = setting.params.at(name);
  if (text == "inf") return std::numeric_limits<double>::infinity();
  const auto value = number(text);
  if (!value) throw Error(Code::kInternal, fmt::format("{} was not checked", name));
  return *value;
}

std::uint32_t whole_param(const SanitizerSetting& setting, const std::string& name) {
  return static_cast<std::uint32_t>(number_param(setting, name));
}

}  // namespace residue::ingest
