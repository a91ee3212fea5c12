#include "storage/disk/lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "base/error.h"
#include "storage/disk/descriptor.h"
#include "storage/disk/files.h"
#include "storage/disk/stop_waiting.h"

namespace residue::storage {
namespace {

constexpr std::chrono::milliseconds kRetryEvery{5};
constexpr std::chrono::milliseconds kRetrySoon{1};  // within kNoticeAfter: most locks are held for some milliseconds
constexpr std::chrono::milliseconds kNoticeAfter{200};

// Locks of open files: a conversion happens at once or not at all. One of flock(2) gives up the old lock first, and
// whoever became the only one in that moment replaced files that others had open.
bool try_lock(int fd, LockMode mode) {
  struct flock whole {};
  whole.l_type = mode == LockMode::kShared ? F_RDLCK : F_WRLCK;
  whole.l_whence = SEEK_SET;
  while (::fcntl(fd, F_OFD_SETLK, &whole) != 0) {
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EACCES) return false;
    throw Error(Code::kIo, fmt::format("cannot lock a file of the store: {}", std::strerror(errno)),
                "the store must lie on a local file system with locks");
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
  if (fd < 0 && (errno == EROFS || errno == EACCES)) {
    fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    mode = LockMode::kShared;  // enough to keep out who can write, for one who cannot
  }
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
  while (!try_lock(fd, mode)) {
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited >= std::chrono::milliseconds(timeout_ms)) return std::nullopt;
    if (!told && waited >= kNoticeAfter && waiting) {
      waiting();
      told = true;
    }
    StopWaiting::look();
    std::this_thread::sleep_for(waited < kNoticeAfter ? kRetrySoon : kRetryEvery);
  }
  return lock;
}

bool Lock::try_upgrade() { return try_lock(fd_, LockMode::kExclusive); }

void Lock::downgrade() { (void)try_lock(fd_, LockMode::kShared); }

void Lock::release() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool is_locked(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  struct flock whole {};
  whole.l_type = F_RDLCK;  // what could not be had beside an exclusive lock
  whole.l_whence = SEEK_SET;
  return file.get() >= 0 && ::fcntl(file.get(), F_OFD_GETLK, &whole) == 0 && whole.l_type == F_WRLCK;
}

}  // namespace residue::storage
