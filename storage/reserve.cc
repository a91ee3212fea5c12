#include "storage/reserve.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "base/digest.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

std::uint64_t free_bytes(const std::filesystem::path& directory) {
  std::error_code error;
  const auto space = std::filesystem::space(directory, error);
  return error ? ~std::uint64_t{0} : space.available;
}

}  // namespace

void Reserve::hold() {
  if (!file_.empty()) return;
  const std::uint64_t bytes = std::min(free_bytes(directory_) / 4, kMost);
  std::filesystem::path file = directory_ / fmt::format("{}{}-{}", kReservePrefix, ::getpid(), to_hex(random_bytes(4)));
  const int fd = bytes < kLeast ? -1 : ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool taken = fd >= 0 && ::posix_fallocate(fd, 0, static_cast<off_t>(bytes)) == 0;
  if (fd >= 0) ::close(fd);
  if (taken) {
    file_ = std::move(file);
    return;
  }
  if (fd >= 0) ::unlink(file.c_str());
  throw Error(Code::kTryAgain, "the disk is almost full: answers could not be saved",
              "free some space and repeat the command");
}

bool Reserve::release() noexcept {
  if (file_.empty()) return false;
  ::unlink(file_.c_str());
  file_.clear();
  return true;
}

Error Reserve::disk_full() { return {Code::kTryAgain, "the disk is full", "free some space and repeat the command"}; }

bool Reserve::leaves(std::uint64_t bytes) const { return free_bytes(directory_) >= bytes; }

}  // namespace residue::storage
