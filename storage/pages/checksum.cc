#include "storage/pages/checksum.h"

#include <bit>
#include <cstring>

#include "base/hash.h"

namespace residue::storage {
namespace {

// SQLite writes a log's sums in the order of the machine that made it; LMDB's files belong to one kind of machine
// anyway.
static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kSummedHeaderBytes = 8;  // page number and size after the commit
constexpr std::size_t kSumInFrame = 16;
constexpr std::int64_t kSumInLogHeader = 24;

std::uint32_t big_endian(const char* bytes) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return __builtin_bswap32(number);
}

LogSum add(LogSum sum, std::string_view bytes) {
  for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
    std::uint32_t words[2];
    std::memcpy(words, bytes.data() + at, sizeof words);
    sum.first += words[0] + sum.second;
    sum.second += words[1] + sum.first;
  }
  return sum;
}

}  // namespace

std::uint64_t page_checksum(std::string_view page, std::uint32_t number) {
  return hash_bytes(page.substr(0, kPageBytes - kPageReserved), mix(number));
}

void seal_page(char* page, std::uint32_t number) {
  const std::uint64_t checksum = page_checksum({page, kPageBytes}, number);
  std::memcpy(page + kPageBytes - kPageReserved, &checksum, sizeof checksum);
}

bool page_is_sound(std::string_view page, std::uint32_t number) {
  if (page.size() != kPageBytes) return false;
  const std::uint64_t checksum = page_checksum(page, number);
  return std::memcmp(page.data() + kPageBytes - kPageReserved, &checksum, sizeof checksum) == 0;
}

LogSum written_sum(std::string_view bytes) { return {big_endian(bytes.data()), big_endian(bytes.data() + 4)}; }

LogSum frame_sum(LogSum before, std::string_view frame) {
  return add(add(before, frame.substr(0, kSummedHeaderBytes)), frame.substr(kFrameHeaderBytes));
}

LogSum sum_of_frame(std::string_view frame) { return written_sum(frame.substr(kSumInFrame, 8)); }

std::optional<std::int64_t> frame_of_page_at(std::int64_t offset) {
  const std::int64_t from_first = offset - kLogHeaderBytes - kFrameHeaderBytes;
  if (from_first < 0 || from_first % kFrameBytes != 0) return std::nullopt;
  return from_first / kFrameBytes;
}

std::int64_t sum_before(std::int64_t frame) {
  return frame == 0 ? kSumInLogHeader
                    : kLogHeaderBytes + (frame - 1) * kFrameBytes + static_cast<std::int64_t>(kSumInFrame);
}

}  // namespace residue::storage
