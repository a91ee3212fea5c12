#include "storage/disk/tar.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kBlock = 512;
constexpr std::uint64_t kLargestOctal = 0777'7777'7777ULL;  // 8 GiB - 1; beyond it sizes are base-256 (GNU, star)

void octal(char* field, std::size_t width, std::uint64_t value) {
  for (std::size_t i = width - 1; i-- > 0;) {
    field[i] = static_cast<char>('0' + (value & 7U));
    value >>= 3U;
  }
}

void size_field(char* field, std::uint64_t size) {
  if (size <= kLargestOctal) {
    octal(field, 12, size);
    return;
  }
  for (int i = 11; i >= 4; --i) {
    field[i] = static_cast<char>(size & 0xffU);
    size >>= 8U;
  }
  field[0] = static_cast<char>(0x80);
}

std::string header(const std::string& path, bool directory, std::uint64_t size) {
  if (path.size() >= 100) throw Error(Code::kInternal, "a path of the store is too long for a backup");
  std::string block(kBlock, '\0');
  path.copy(block.data(), path.size());
  octal(&block[100], 8, directory ? 0700 : 0600);
  octal(&block[108], 8, 0);
  octal(&block[116], 8, 0);
  size_field(&block[124], size);
  octal(&block[136], 12, 0);
  block[156] = directory ? '5' : '0';
  std::memcpy(&block[257],
              "ustar\0"
              "00",
              8);
  std::memset(&block[148], ' ', 8);
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  octal(&block[148], 7, sum);
  block[154] = '\0';
  return block;
}

class Out {
 public:
  explicit Out(const fs::path& file)
      : file_(file), fd_(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
    if (fd_ < 0) fail();
  }
  // A file without a name, in that folder; held() says whether there is one.
  Out(const fs::path& folder, const fs::path& file)
      : file_(file), fd_(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)) {}
  [[nodiscard]] bool held() const { return fd_ >= 0; }
  void name_it() const {
    const std::string self = fmt::format("/proc/self/fd/{}", fd_);
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, file_.c_str(), AT_SYMLINK_FOLLOW) == 0) return;
    if (errno != EEXIST) fail();
    throw Error(Code::kUsage, fmt::format("{} exists already", file_.string()), "name a file that does not exist yet");
  }
  Out(const Out&) = delete;
  Out& operator=(const Out&) = delete;
  ~Out() {
    if (fd_ >= 0) ::close(fd_);
  }

  void write(const char* bytes, std::size_t size) {
    while (size > 0) {
      const auto written = ::write(fd_, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  void sync() {
    if (::fsync(fd_) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    const int error = errno;
    throw Error(means_full(error) ? Code::kTryAgain : Code::kIo,
                fmt::format("cannot write {}: {}", file_.string(), std::strerror(error)),
                error == EFBIG    ? "raise the limit on the size of files (ulimit -f) and run the command again"
                : error == EEXIST ? "name a file that does not exist yet"
                                  : "check the path and the space on the disk");
  }
  fs::path file_;
  int fd_;
};

void copy_file(const fs::path& path, std::uint64_t size, Out& out) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw Error(Code::kIo, fmt::format("cannot read {}", path.string()));
  std::string buffer(1U << 20U, '\0');
  std::uint64_t left = size;
  while (left > 0) {
    const auto got = ::read(fd, buffer.data(), std::min<std::uint64_t>(buffer.size(), left));
    if (got <= 0) break;
    out.write(buffer.data(), static_cast<std::size_t>(got));
    left -= static_cast<std::uint64_t>(got);
  }
  ::close(fd);
  if (left > 0) throw Error(Code::kIo, fmt::format("{} became shorter while it was read", path.string()));
  const std::string padding((kBlock - size % kBlock) % kBlock, '\0');
  out.write(padding.data(), padding.size());
}

}  // namespace

namespace {

void write_all(const fs::path& dir, const std::string& name, Out& out) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  const std::string top = header(name + "/", true, 0);
  out.write(top.data(), top.size());
  for (const fs::path& path : paths) {
    const bool directory = fs::is_directory(path);
    const std::uint64_t size = directory ? 0 : fs::file_size(path);
    const std::string block =
        header(name + "/" + fs::relative(path, dir).string() + (directory ? "/" : ""), directory, size);
    out.write(block.data(), block.size());
    if (!directory) copy_file(path, size, out);
  }
  const std::string end(2 * kBlock, '\0');
  out.write(end.data(), end.size());
  out.sync();
}

}  // namespace

void write_tar(const fs::path& dir, const std::string& name, const fs::path& file) {
  Out out(file);
  write_all(dir, name, out);
  sync_path(fs::absolute(file).parent_path());
}

bool write_tar_unseen(const fs::path& dir, const std::string& name, const fs::path& file) {
  const fs::path folder = fs::absolute(file).parent_path();
  Out out(folder, file);
  if (!out.held() || ::access("/proc/self/fd", X_OK) != 0) return false;
  write_all(dir, name, out);
  out.name_it();
  sync_path(folder);
  return true;
}

std::string tar_bytes(const TarFiles& files) {
  std::string out;
  for (const auto& [path, bytes] : files) {
    out += header(path, false, bytes.size()) + bytes;
    out.resize((out.size() + kBlock - 1) / kBlock * kBlock);
  }
  out.resize(out.size() + 2 * kBlock);
  return out;
}

std::optional<TarFiles> files_of_tar(std::string_view bytes, std::size_t& first_wrong) {
  TarFiles files;
  std::size_t at = 0;
  while (at + kBlock <= bytes.size() && bytes[at] != '\0') {
    const std::string_view block = bytes.substr(at, kBlock);
    std::uint64_t size = 0;
    for (const char digit : block.substr(124, 11)) size = 8 * size + static_cast<unsigned>(digit - '0') % 8;
    if (size > bytes.size() - at - kBlock) break;
    const std::string_view path = block.substr(0, 99);
    files.emplace_back(path.substr(0, path.find('\0')), bytes.substr(at + kBlock, size));
    at += kBlock + (size + kBlock - 1) / kBlock * kBlock;
  }
  const std::string again = tar_bytes(files);
  const auto [is, should] = std::ranges::mismatch(bytes, again);
  if (is == bytes.end() && should == again.end()) return files;
  first_wrong = static_cast<std::size_t>(is - bytes.begin());
  return std::nullopt;
}

}  // namespace residue::storage
