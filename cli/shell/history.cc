#include "cli/shell/history.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::cli {
namespace {

constexpr std::size_t kMostFileBytes = std::size_t{64} << 20U;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
  throw Error(Code::kIo, fmt::format("the history {} cannot be used: {}", file.string(), why),
              "--no-history does without");
}

// An open file, closed on scope exit.
class File {
 public:
  File(const std::filesystem::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600)), error_(fd_ < 0 ? errno : 0) {}
  ~File() {
    if (fd_ >= 0) ::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] int error() const { return error_; }

 private:
  int fd_, error_;
};

// Throws unless it is a regular file of this user; nobody else may read it from here on.
void make_private(const std::filesystem::path& path, const File& file) {
  struct stat info = {};
  if (::fstat(file.fd(), &info) != 0) fail(path, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) fail(path, "it is no file");
  if (info.st_uid != ::geteuid()) fail(path, "it is somebody else's");
  if ((info.st_mode & 0077U) != 0 && ::fchmod(file.fd(), 0600) != 0) fail(path, std::strerror(errno));
}

std::string escaped(std::string_view entry) {
  std::string line;
  for (const char c : entry) {
    if (c == '\\' || c == '\n') line += '\\';
    line += c == '\n' ? 'n' : c;
  }
  return line + '\n';
}

std::string unescaped(std::string_view line) {
  std::string entry;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool two = line[i] == '\\' && i + 1 < line.size();
    if (two) ++i;
    entry += two && line[i] == 'n' ? '\n' : line[i];
  }
  return entry;
}

void write_all(const std::filesystem::path& path, const File& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file.fd(), bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) fail(path, std::strerror(errno));
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

// What another shell adds meanwhile is lost: a history is not worth a lock.
void shorten(const std::filesystem::path& path, const std::vector<std::string>& entries) {
  const std::filesystem::path next = path.string() + fmt::format(".{}.part", ::getpid());
  std::string bytes;
  for (const std::string& entry : entries) bytes += escaped(entry);
  try {
    storage::write_new_file(next, bytes);
    std::filesystem::rename(next, path);
  } catch (const std::exception&) {  // it is shortened another time
    storage::discard(next);
  }
}

}  // namespace

std::optional<std::filesystem::path> history_file() {
  const char* state = std::getenv("XDG_STATE_HOME");
  std::filesystem::path folder = state == nullptr ? "" : state;
  if (!folder.is_absolute()) {  // as the specification says: others are ignored
    const char* home = std::getenv("HOME");
    if (home == nullptr || !std::filesystem::path(home).is_absolute()) return std::nullopt;
    folder = std::filesystem::path(home) / ".local" / "state";
  }
  return folder / "residue" / "sql_history";
}

std::vector<std::string> read_history(const std::filesystem::path& path) {
  const File file(path, O_RDONLY);
  if (file.error() == ENOENT || file.error() == ENOTDIR) return {};
  if (file.error() != 0) fail(path, std::strerror(file.error()));
  make_private(path, file);
  std::string bytes;
  std::array<char, 1U << 16U> chunk{};
  while (true) {
    const ssize_t got = ::read(file.fd(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, std::strerror(errno));
    if (got == 0) break;
    bytes.append(chunk.data(), static_cast<std::size_t>(got));
    if (bytes.size() > kMostFileBytes) fail(path, "it is larger than 64 MiB");
  }
  std::vector<std::string> entries;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    entries.push_back(unescaped(std::string_view(bytes).substr(at, end - at)));
    at = end + 1;
  }
  const bool too_many = entries.size() > 2 * kMostEntries;
  if (entries.size() > kMostEntries) entries.erase(entries.begin(), entries.end() - kMostEntries);
  if (too_many) shorten(path, entries);
  return entries;
}

void add_history(const std::filesystem::path& path, std::string_view entry) {
  if (entry.empty() || entry.front() == ' ' || entry.size() > kMostEntryBytes) return;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);  // 0700: the program's mask is 077
  const File file(path, O_WRONLY | O_CREAT | O_APPEND);
  if (file.error() != 0) fail(path, std::strerror(file.error()));
  make_private(path, file);
  write_all(path, file, escaped(entry));
}

}  // namespace residue::cli
