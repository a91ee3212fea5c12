// Numbers for people (1 240, 1m39s, 1.5 MiB) and for machines (the shortest text that reads back as the same double).
#pragma once

#include <cstdint>
#include <string>

namespace residue::cli {

// "1 240", "5 000 000": groups of three, a plain space between.
std::string grouped(std::uint64_t number);

// "0.4s", "12s", "1m39s", "2h05m", "3d04h". Seconds below ten have one decimal; negative counts as zero.
std::string duration_text(double seconds);

// "512 B", "1.5 KiB", "23 MiB".
std::string bytes_text(std::uint64_t bytes);

// "0.9843"; very small and very large values in scientific form; "-" where it is no number.
std::string real_text(double value);

// A fraction as "98.4 %".
std::string percent_text(double fraction);

// A JSON number: shortest text that reads back as the same double, with a point or exponent ("1.0"); "null" for NaN and
// infinities.
std::string json_number(double value);

// Unix milliseconds as "2026-11-22T09:30:00Z".
std::string utc(std::int64_t at_ms);

}  // namespace residue::cli
