// Dates as people write them in a condition. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace residue::verbs {

// Unix milliseconds, `end` not included.
struct TimeSpan {
  std::int64_t begin = 0, end = 0;
};

// The time that a word stands for: "2026", "2026-11", "2026-11-28", "2026-11-28T16:20", "2026-11-28T16:20:05", with or
// without Z behind a time; UTC. Nothing for every other word, and for a day that there is not.
std::optional<TimeSpan> read_time(std::string_view word);

}  // namespace residue::verbs
