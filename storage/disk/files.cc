#include "storage/disk/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>

#include "base/digest.h"
#include "base/error.h"
#include "storage/disk/descriptor.h"

namespace residue::storage {
namespace {

constexpr std::size_t kChunk = 1U << 20U;
constexpr std::uintmax_t kFullBelow = 1U << 20U;  // bytes; what the failed write asked for did not fit

[[noreturn]] void io_error(const char* doing, const std::filesystem::path& path, int error = errno) {
  const Code code = error == ENOENT ? Code::kNotFound : means_full(error) ? Code::kTryAgain : Code::kIo;
  throw Error(code, fmt::format("cannot {} {}: {}", doing, path.string(), std::strerror(error)),
              error == EFBIG            ? "raise the limit on the size of files (ulimit -f) and repeat the command"
              : code == Code::kTryAgain ? "free some space and repeat the command"
                                        : "check the path, the disk and its permissions");
}

}  // namespace

void sync_path(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) io_error("open", path);
  if (::fsync(file.get()) != 0) io_error("sync", path);
}

void write_new_file(const std::filesystem::path& path, std::string_view bytes) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0) io_error("create", path);
  while (!bytes.empty()) {
    const auto written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) io_error("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0) io_error("sync", path);
}

std::string read_small_file(const std::filesystem::path& path, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) io_error("open", path);
  std::string bytes;
  char buffer[4096];
  while (true) {
    const auto got = ::read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) io_error("read", path);
    if (got == 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(got));
    if (bytes.size() > limit) throw Error(Code::kCorrupt, fmt::format("{} is larger than it can be", path.string()));
  }
}

std::string read_store_file(const std::filesystem::path& path, std::size_t limit) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {  // a pipe would be waited for
    throw Error(Code::kCorrupt, path.string() + " is no file", "restore the last backup");
  }
  return read_small_file(path, limit);
}

void make_private_directory(const std::filesystem::path& dir) {
  if (::mkdir(dir.c_str(), 0700) != 0) io_error("create directory", dir);
}

void check_private_directory(const std::filesystem::path& dir) {
  struct statfs fs {};
  if (::statfs(dir.c_str(), &fs) != 0) io_error("look at", dir);
  constexpr unsigned long kNetworkTypes[] = {0x6969UL, 0x517BUL, 0xFF534D42UL, 0xFE534D42UL};  // NFS, SMB, CIFS, SMB2
  for (const unsigned long type : kNetworkTypes) {
    if (static_cast<unsigned long>(fs.f_type) == type) {
      throw Error(Code::kUsage, fmt::format("the store {} lies on a network file system", dir.string()),
                  "move it to a local disk: locks and shared memory are unsafe there");
    }
  }
  struct stat info {};
  if (::stat(dir.c_str(), &info) != 0) io_error("look at", dir);
  if ((info.st_mode & 077U) != 0) {
    throw Error(Code::kUsage, fmt::format("the store {} can be read by other users", dir.string()),
                fmt::format("chmod -R go= {}", dir.string()));
  }
}

std::string sha256_file(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) io_error("open", path);
  Sha256 digest;
  std::string buffer(kChunk, '\0');
  while (true) {
    const auto got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) io_error("read", path);
    if (got == 0) return digest.finish();
    digest.add(std::string_view(buffer).substr(0, static_cast<std::size_t>(got)));
  }
}

bool has_sha256(const std::filesystem::path& file, std::string_view digest) {
  const std::string found = sha256_file(file);
  return digest == (digest.size() == found.size() ? found : to_hex(found));
}

bool means_full(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

bool disk_is_full(const std::filesystem::path& path) {
  std::error_code error;
  const auto space = std::filesystem::space(path, error);
  return !error && space.available < kFullBelow;
}

void copy_private_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code error;
  std::filesystem::copy_file(from, to, error);
  if (!error) return;
  // Where a write ends short, a full disk is reported as EIO.
  std::error_code unknown;
  const auto space = std::filesystem::space(to.parent_path(), unknown);
  const auto wanted = std::filesystem::file_size(from, unknown);
  io_error("copy", from, error.value() == EIO && !unknown && space.available < wanted ? ENOSPC : error.value());
}

void discard(const std::filesystem::path& path) noexcept {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

void discard_beginning(const std::filesystem::path& dir, std::initializer_list<std::string_view> prefixes) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(dir, ignored)) {
    const std::string name = entry.path().filename().string();
    if (std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); })) {
      discard(entry.path());
    }
  }
}

std::uint64_t directory_bytes(const std::filesystem::path& dir) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (auto it = std::filesystem::recursive_directory_iterator(dir, error);
       !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    std::error_code gone;  // files come and go while another process works
    const std::uint64_t size = it->is_regular_file(gone) ? it->file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  return bytes;
}

}  // namespace residue::storage
