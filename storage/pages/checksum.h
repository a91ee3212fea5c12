// What tells a damaged page of the catalog from a sound one: a checksum in its last eight bytes, and that of the log.
//
//   page of catalog.db    4,088 bytes of SQLite's | XXH64 of them, seeded with the page's number
//   frame of its log      SQLite's own: a sum over the frame that goes on from the sum of the frame before
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace residue::storage {

inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kPageReserved = 8;  // bytes at the end of each page that SQLite leaves alone

inline constexpr std::int64_t kLogHeaderBytes = 32;
inline constexpr std::int64_t kFrameHeaderBytes = 24;
inline constexpr std::int64_t kFrameBytes = kFrameHeaderBytes + static_cast<std::int64_t>(kPageBytes);

// The number enters: a page that was written to another's place is noticed, too.
[[nodiscard]] std::uint64_t page_checksum(std::string_view page, std::uint32_t number);

void seal_page(char* page, std::uint32_t number);
[[nodiscard]] bool page_is_sound(std::string_view page, std::uint32_t number);

// The two running sums of a log, in the order in which they lie in its headers.
struct LogSum {
  std::uint32_t first = 0, second = 0;
  friend bool operator==(const LogSum&, const LogSum&) = default;
};

// The sum that is written in a header of the log, from its eight bytes.
[[nodiscard]] LogSum written_sum(std::string_view bytes);

// The sum of `frame` (header and page) where `before` is that of what stands before it.
[[nodiscard]] LogSum frame_sum(LogSum before, std::string_view frame);

// The sum that the frame says of itself.
[[nodiscard]] LogSum sum_of_frame(std::string_view frame);

// 0 for the first frame, and so on; nothing for an offset at which no frame's page begins.
[[nodiscard]] std::optional<std::int64_t> frame_of_page_at(std::int64_t offset);

// The position in the log of the checksum that this frame's checksum continues.
[[nodiscard]] std::int64_t sum_before(std::int64_t frame);

}  // namespace residue::storage
