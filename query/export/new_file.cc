#include "query/export/new_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::query {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& file) {
  throw Error(Code::kUsage, fmt::format("{} exists already", file.string()), "name a file that does not exist yet");
}

[[noreturn]] void fail(const fs::path& file, int error) {
  throw Error(storage::means_full(error) ? Code::kTryAgain : Code::kIo,
              fmt::format("cannot write {}: {}", file.string(), std::strerror(error)),
              error == EFBIG ? "raise the limit on the size of files (ulimit -f) and run the command again"
              : storage::means_full(error) ? "free some space and run the command again"
                                           : "check the path and its permissions");
}

// The folder that holds `file`.
fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

}  // namespace

void refuse_existing(const fs::path& file) {
  std::error_code none;
  if (fs::exists(fs::symlink_status(file, none))) refuse(file);
}

NewFile::NewFile(const fs::path& file) : file_(file), part_(file.string() + fmt::format(".{}.part", ::getpid())) {
  refuse_existing(file_);
  leftover_.emplace(part_);
  ::unlink(part_.c_str());  // of a process of the same number that was killed
  const int fd = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    const int error = errno;
    part_.clear();
    fail(file_, error);
  }
  ::close(fd);
}

NewFile::~NewFile() {
  if (!part_.empty()) ::unlink(part_.c_str());
}

void NewFile::finish() {
  storage::sync_path(part_);
  if (::renameat2(AT_FDCWD, part_.c_str(), AT_FDCWD, file_.c_str(), RENAME_NOREPLACE) != 0) {
    // Some file systems know no such rename: a second name is refused where the first one is taken, too.
    const bool unknown = errno == EINVAL || errno == ENOSYS;
    if (!unknown || ::link(part_.c_str(), file_.c_str()) != 0) {
      if (errno == EEXIST) refuse(file_);
      fail(file_, errno);
    }
    ::unlink(part_.c_str());
  }
  part_.clear();
  leftover_.reset();
  storage::sync_path(folder_of(file_));
}

}  // namespace residue::query
