#include "storage/pages/page_image.h"

#include <sqlite3.h>

#include <string_view>
#include <utility>

#include "storage/pages/checksum.h"
#include "storage/pages/page_vfs.h"

namespace residue::storage {
namespace {

constexpr std::size_t kSaltInHeader = 16, kSaltInFrame = 8, kSaltBytes = 8;
constexpr std::size_t kSummedInHeader = 24;
constexpr std::uint32_t kMagic = 0x377f0682;

std::uint32_t number_at(std::string_view bytes, std::size_t at) { return written_sum(bytes.substr(at, 8)).first; }

std::optional<std::string> bytes_of(sqlite3_file* file, std::size_t size, std::int64_t offset) {
  std::string bytes(size, '\0');
  if (file == nullptr || file->pMethods == nullptr) return std::nullopt;
  const int code = file->pMethods->xRead(file, bytes.data(), static_cast<int>(size), offset);
  (void)take_damaged_page();
  if (code != SQLITE_OK) return std::nullopt;
  return bytes;
}

}  // namespace

PageImage::PageImage(sqlite3* db) {
  sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file_);
  sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log_);
  sqlite3_int64 size = 0;
  if (file_ != nullptr && file_->pMethods != nullptr && file_->pMethods->xFileSize(file_, &size) == SQLITE_OK) {
    pages_ = static_cast<std::uint32_t>(size / static_cast<std::int64_t>(kPageBytes));
  }
  read_log();
}

void PageImage::read_log() {
  const auto header = bytes_of(log_, kLogHeaderBytes, 0);
  if (!header || number_at(*header, 0) != kMagic || number_at(*header, 8) != kPageBytes) return;
  salt_ = header->substr(kSaltInHeader, kSaltBytes);
  LogSum sum = written_sum(std::string_view(*header).substr(kSummedInHeader));
  std::unordered_map<std::uint32_t, std::int64_t> uncommitted;
  for (std::int64_t number = 0;; ++number) {
    const auto frame = bytes_of(log_, static_cast<std::size_t>(kFrameBytes), kLogHeaderBytes + number * kFrameBytes);
    if (!frame || frame->substr(kSaltInFrame, kSaltBytes) != salt_) return;
    sum = frame_sum(sum, *frame);
    if (sum != sum_of_frame(*frame)) return;
    uncommitted[number_at(*frame, 0)] = number;
    const std::uint32_t pages_after = number_at(*frame, 4);
    if (pages_after == 0) continue;
    pages_ = pages_after;
    for (const auto& [page, at] : uncommitted) frames_[page] = at;
    uncommitted.clear();
  }
}

std::optional<std::string> PageImage::in_log(std::uint32_t page) const {
  const auto found = frames_.find(page);
  if (found == frames_.end()) return std::nullopt;
  const std::int64_t at = kLogHeaderBytes + found->second * kFrameBytes;
  const auto header = bytes_of(log_, kFrameHeaderBytes, at);
  // Written over meanwhile: then all of it stands in the file.
  if (!header || number_at(*header, 0) != page || header->substr(kSaltInFrame, kSaltBytes) != salt_)
    return std::nullopt;
  return bytes_of(log_, kPageBytes, at + kFrameHeaderBytes);
}

std::optional<std::string> PageImage::read(std::uint32_t page) const {
  if (page == 0 || page > pages_) return std::nullopt;
  if (auto bytes = in_log(page)) return bytes;
  return bytes_of(file_, kPageBytes, static_cast<std::int64_t>(page - 1) * static_cast<std::int64_t>(kPageBytes));
}

}  // namespace residue::storage
