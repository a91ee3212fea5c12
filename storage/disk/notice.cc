#include "storage/disk/notice.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/hash.h"
#include "storage/disk/descriptor.h"

namespace residue::storage {
namespace {

// A notice in its file: checksum and length, then the words. A reader that comes in the middle of a write sees words
// that are not these.
constexpr std::size_t kHead = 2 * sizeof(std::uint64_t);
constexpr int kTries = 3;
constexpr std::size_t kNameBytes = 8;

std::optional<std::string> words_in(int fd) {
  std::string bytes(kHead + kMostNoticeBytes, '\0');
  for (int i = 0; i < kTries; ++i) {
    const ssize_t got = ::pread(fd, bytes.data(), bytes.size(), 0);
    if (got < static_cast<ssize_t>(kHead)) return std::nullopt;
    std::uint64_t check = 0, size = 0;
    std::memcpy(&check, bytes.data(), sizeof check);
    std::memcpy(&size, bytes.data() + sizeof check, sizeof size);
    if (size > static_cast<std::uint64_t>(got) - kHead) continue;
    const std::string_view words = std::string_view(bytes).substr(kHead, size);
    if (hash_bytes(words) == check) return std::string(words);
  }
  return std::nullopt;
}

}  // namespace

Notice::Notice(const std::filesystem::path& dir) {
  try {
    file_ = dir / fmt::format("{}{}", kNoticePrefix, to_hex(random_bytes(kNameBytes)));
    leftover_.emplace(file_);
    lock_ = Lock::take(file_, LockMode::kExclusive, 0);
    if (lock_) out_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
  } catch (const Error&) {  // a full disk, too many files: the work goes on, untold
  }
}

Notice::~Notice() {
  if (out_ >= 0) ::close(out_);
  if (lock_) ::unlink(file_.c_str());
}

void Notice::say(std::string_view words) {
  if (out_ < 0 || words.size() > kMostNoticeBytes) return;
  const std::uint64_t check = hash_bytes(words), size = words.size();
  std::string bytes(kHead, '\0');
  std::memcpy(bytes.data(), &check, sizeof check);
  std::memcpy(bytes.data() + sizeof check, &size, sizeof size);
  bytes += words;
  [[maybe_unused]] const ssize_t wrote = ::pwrite(out_, bytes.data(), bytes.size(), 0);
}

std::vector<std::string> notices(const std::filesystem::path& dir) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(dir, error)) {
    if (entry.path().filename().native().starts_with(kNoticePrefix)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> said;
  for (const auto& path : files) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file.get() < 0 || !is_locked(path)) continue;
    if (auto words = words_in(file.get())) said.push_back(*std::move(words));
  }
  return said;
}

}  // namespace residue::storage
