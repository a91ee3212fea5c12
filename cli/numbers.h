// Numbers on the command line, read by one rule: decimal digits, within their range, nothing else.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <variant>

#include "cli/syntax.h"

namespace residue::cli {

// CLI11 takes 0x10, 010 (as 8), an empty word (as 0), -1 where there is no sign, what is too large for the variable (as
// its greatest), and nan within any range.
template <class T>
std::optional<T> decimal(const std::string& word) {
  T value{};
  const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
  if (read.ec != std::errc() || read.ptr != word.data() + word.size()) return std::nullopt;
  if constexpr (std::floating_point<T>) return std::isfinite(value) ? std::optional(value) : std::nullopt;
  return value;
}

// Without bounds all that the variable holds; of 64 bits what a signed number can, since the store has no other.
template <class T>
Bounds<T> bounds_of(const Option& option) {
  if (const auto* given = std::get_if<Bounds<T>>(&option.bounds)) return *given;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if constexpr (std::same_as<T, std::uint64_t>) return {0, kMost};
  return {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()};
}

template <class T>
std::string number_check(const Bounds<T>& bounds, const std::string& word) {
  const std::optional<T> value = decimal<T>(word);
  if (value && *value >= bounds.low && *value <= bounds.high) return {};
  return fmt::format("{} is no {} from {} to {}", word.empty() ? "\"\"" : word,
                     std::floating_point<T> ? "number" : "whole number", bounds.low, bounds.high);
}

}  // namespace residue::cli
