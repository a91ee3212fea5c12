// Numbers of a page's facts, read: they may be any JSON.
#pragma once

#include <cstdint>
#include <optional>

#include "base/json.h"

namespace residue::page {

// Throws JsonError for what is no whole number.
inline std::int64_t whole(const Json& json) {
  if (!json.is_integer()) throw JsonError("no whole number");
  return json.integer();
}

// Throws JsonError for what is no whole number from 0.
inline std::uint64_t count_from(const Json& json) {
  const std::int64_t count = whole(json);
  if (count < 0) throw JsonError("no count");
  return static_cast<std::uint64_t>(count);
}

// Nothing for null. Throws JsonError for what is no number.
inline std::optional<double> real_or_none(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.real());
}

}  // namespace residue::page
