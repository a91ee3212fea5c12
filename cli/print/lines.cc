#include "cli/print/lines.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "cli/print/interrupt.h"

namespace residue::cli {
namespace {

constexpr std::size_t kBatchBytes = 4U << 20U;
constexpr std::size_t kReadBytes = 1U << 20U;

bool readable(int fd, int timeout_ms) {
  pollfd wanted = {.fd = fd, .events = POLLIN, .revents = 0};
  return ::poll(&wanted, 1, timeout_ms) > 0;
}

}  // namespace

LineReader::LineReader(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  fd_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) {
    throw Error(errno == ENOENT ? Code::kNotFound : Code::kIo,
                fmt::format("cannot read {}: {}", path, std::strerror(errno)), "check the path and its permissions");
  }
}

LineReader::~LineReader() {
  if (fd_ > 2) ::close(fd_);
}

bool LineReader::fill() {
  // poll, because a read that waits would sit out the first Ctrl-C.
  while (!readable(fd_, -1)) {
    if (interrupted()) throw Error(Code::kInterrupted, "interrupted");
  }
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kReadBytes);
  const ssize_t got = ::read(fd_, buffer_.data() + before, kReadBytes);
  buffer_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0 && errno != EINTR) {
    throw Error(Code::kIo, fmt::format("cannot read {}: {}", name_, std::strerror(errno)), "check that it is a file");
  }
  return got != 0;
}

bool LineReader::next(std::vector<std::string_view>& lines) {
  lines.clear();
  first_line_ += lines_;
  buffer_.erase(0, used_);
  used_ = 0;
  std::size_t searched = 0;
  std::size_t end = std::string::npos;  // of the last complete line
  while (!at_end_ && (end == std::string::npos || (buffer_.size() < kBatchBytes && readable(fd_, 0)))) {
    if (!fill()) at_end_ = true;
    const std::size_t found = buffer_.find_last_of('\n');
    if (found != std::string::npos && found >= searched) end = found;
    searched = buffer_.size();
    if (end == std::string::npos && buffer_.size() > kMaxLineBytes) break;
  }
  used_ = at_end_ ? buffer_.size() : (end == std::string::npos ? 0 : end + 1);
  for (std::size_t at = 0; at < used_;) {
    const std::size_t stop = std::min(buffer_.find('\n', at), used_);
    lines.emplace_back(buffer_.data() + at, stop - at);
    at = stop + 1;
  }
  lines_ = lines.size();
  if (used_ == 0 && !at_end_) {
    throw Error(Code::kBadInput, fmt::format("{}:{}: the line is longer than 16 MiB", name_, first_line_),
                "split the text");
  }
  return !lines.empty();
}

}  // namespace residue::cli
