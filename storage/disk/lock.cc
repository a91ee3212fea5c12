#include "storage/disk/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::storage {
namespace {

constexpr std::chrono::milliseconds kRetryEvery{5};
constexpr std::chrono::milliseconds kNoticeAfter{200};

bool try_flock(int fd, LockMode mode) {
  const int operation = (mode == LockMode::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB;
  while (::flock(fd, operation) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) return false;
    throw Error(Code::kIo, fmt::format("cannot lock a file of the store: {}", std::strerror(errno)),
                "the store must lie on a local file system with flock");
  }
  return true;
}

}  // namespace

Lock::Lock(Lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Lock& Lock::operator=(Lock&& other) noexcept {
  if (this != &other) {
    release();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

std::optional<Lock> Lock::take(const std::filesystem::path& file, LockMode mode, int timeout_ms,
                               const std::function<void()>& waiting) {
  int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 && (errno == EROFS || errno == EACCES)) fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && means_full(errno)) {
    throw Error(Code::kTryAgain, fmt::format("cannot make {}: {}", file.string(), std::strerror(errno)),
                "free some space and repeat the command");
  }
  if (fd < 0) {
    throw Error(Code::kIo, fmt::format("cannot open {}: {}", file.string(), std::strerror(errno)),
                "check that the store is yours and the disk is writable");
  }
  Lock lock;
  lock.fd_ = fd;
  const auto start = std::chrono::steady_clock::now();
  bool told = false;
  while (!try_flock(fd, mode)) {
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited >= std::chrono::milliseconds(timeout_ms)) return std::nullopt;
    if (!told && waited >= kNoticeAfter && waiting) {
      waiting();
      told = true;
    }
    std::this_thread::sleep_for(kRetryEvery);
  }
  return lock;
}

bool Lock::try_upgrade() {
  if (try_flock(fd_, LockMode::kExclusive)) return true;
  // A failed conversion may have dropped the shared lock (flock(2)).
  while (!try_flock(fd_, LockMode::kShared)) std::this_thread::sleep_for(kRetryEvery);
  return false;
}

void Lock::downgrade() {
  while (!try_flock(fd_, LockMode::kShared)) std::this_thread::sleep_for(kRetryEvery);
}

void Lock::release() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

}  // namespace residue::storage
