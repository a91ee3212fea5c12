#include "cli/print/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/print/formats.h"
#include "cli/print/interrupt.h"
#include "cli/print/pager.h"
#include "cli/print/progress.h"
#include "cli/print/terminal.h"
#include "cli/print/wrap.h"

namespace residue::cli {
namespace {

constexpr std::size_t kBufferBytes = 64U << 10U;
constexpr int kPollMs = 100;
constexpr std::chrono::milliseconds kSilentWait{300};  // a reader that was started at the same time is there by then

[[noreturn]] void fail(const std::filesystem::path& file, int error) {
  const std::string where = file.empty() ? "standard output" : file.string();
  if (error == EFBIG) {
    throw Error(Code::kTryAgain, fmt::format("cannot write {}: it would be larger than files may be", where),
                "raise the limit (ulimit -f) and run the command again");
  }
  const bool full = error == ENOSPC || error == EDQUOT;
  throw Error(full ? Code::kTryAgain : Code::kIo, fmt::format("cannot write {}: {}", where, std::strerror(error)),
              full ? "free some space and run the command again" : "check the path given with -o and its permissions");
}

// Opening a named pipe waits for its reader: said after a while, and ended by a signal. -1 and errno otherwise.
int open_for_reader(const std::filesystem::path& file, const std::function<void()>& waiting) {
  const auto start = std::chrono::steady_clock::now();
  bool said = false;
  while (true) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) {
      ::fcntl(fd, F_SETFL, O_WRONLY);
      return fd;
    }
    if (errno != ENXIO) return -1;  // that means: nobody reads it yet
    if (!said && std::chrono::steady_clock::now() - start > kSilentWait) {
      waiting();
      said = true;
    }
    if (interrupted()) throw Error(Code::kInterrupted, "stopped: nobody reads the pipe that was named with -o");
    std::this_thread::sleep_for(std::chrono::milliseconds(kPollMs));
  }
}

}  // namespace

// Holds back what is for the terminal until it is too long for it, then is a pager.
class Output::Paging {
 public:
  Paging(std::string command, std::size_t height, std::size_t width)
      : command_(std::move(command)), height_(height), width_(width) {}

  // Whether `held` should be written now, to fd(); false: it still fits.
  bool wants_out(int terminal) {
    fd_ = terminal;
    if (pager_ || given_up_) return true;
    lines_ += lines_of(std::string_view(held).substr(counted_), width_);
    counted_ = held.size();
    if (lines_ < height_) return false;  // the line of the prompt is needed, too
    pager_ = Pager::start(command_);
    given_up_ = !pager_;
    return true;
  }

  [[nodiscard]] int fd() const { return pager_ ? pager_->fd() : fd_; }
  // Whether a message on the same terminal would come before what is held, or in the middle of a page.
  [[nodiscard]] bool has_terminal() const { return pager_ || !held.empty(); }

  std::string held;

 private:
  std::string command_;
  std::size_t height_, width_;
  std::size_t lines_ = 0, counted_ = 0;
  int fd_ = 1;
  bool given_up_ = false;
  std::unique_ptr<Pager> pager_;
};

Output::Output(const Globals& globals) : globals_(globals) {
  if (globals.output && *globals.output != "-") {
    file_ = *globals.output;
    struct stat info = {};
    const bool in_place = ::stat(file_.c_str(), &info) == 0 && !S_ISREG(info.st_mode);  // a pipe, /dev/null
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC;
    if (!in_place) {
      temporary_ = file_.string() + fmt::format(".{}.part", ::getpid());
      flags |= O_NOFOLLOW;
      leftover_.emplace(temporary_);
    }
    fd_ = in_place && S_ISFIFO(info.st_mode)
              ? open_for_reader(file_, [&] { note("waiting for somebody who reads " + file_.string()); })
              : ::open((in_place ? file_ : temporary_).c_str(), flags, 0600);
    if (fd_ < 0) {
      const int error = errno;
      temporary_.clear();
      fail(file_, error);
    }
  }
  terminal_ = ::isatty(fd_) == 1;
  struct stat info = {};
  regular_ = ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
  begin_page();
}

void Output::begin_page() {
  if (!globals_.paged || !terminal_ || !file_.empty() || wants_json()) return;
  const std::optional<std::string> pager = wanted_pager();
  const std::optional<std::size_t> height = terminal_height(fd_);
  if (pager && height) paging_ = std::make_unique<Paging>(*pager, *height, terminal_width(fd_));
}

Output::~Output() {
  if (paging_ && !paging_->held.empty() && !closed_) {
    // A command that fails: what it had shown already is seen before its error.
    try {
      show_held();
    } catch (const Error&) {  // The error that is on its way says more.
    }
  }
  paging_.reset();
  if (fd_ > 2) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::table(const Table& table) { arrangement_.any() ? print(arranged(table, arrangement_)) : print(table); }

void Output::print(const Table& table) {
  if (globals_.format == Format::kTable) {
    write(render_table(table, look()));
  } else {
    put(in_format(table, globals_), wants_json() ? Spelling::kJson : Spelling::kText);
  }
}

void Output::fields(const Table& table) {
  if (globals_.format == Format::kTable) {
    write(render_fields(table, look()));
  } else if (globals_.format == Format::kJson) {
    write_json(to_jsonl(table));
  } else {
    this->table(table);
  }
}

void Output::json(const Json& value) {
  if (globals_.format != Format::kJsonl) {
    write_json(value.dump(2) + "\n");
  } else if (value.is_array()) {
    for (const auto& item : value) write_json(item.dump() + "\n");
  } else {
    write_json(value.dump() + "\n");
  }
}

void Output::shaped(const std::function<Json()>& whole, const std::function<Json()>& rows,
                    const std::function<void()>& print) {
  if (globals_.format == Format::kJson) {
    json(whole());
  } else if (wants_json()) {
    json(rows());
  } else {
    print();
  }
  flush();
}

bool Output::wants_json() const { return globals_.format == Format::kJson || globals_.format == Format::kJsonl; }

void Output::refuse_tables(std::string_view command, const std::string& instead) const {
  if (globals_.format == Format::kTable || wants_json()) return;
  throw Error(Code::kUsage, fmt::format("{} has no table: it prints text or json", command), instead);
}

void Output::write(std::string_view bytes) { put(bytes, Spelling::kText); }

void Output::write_json(std::string_view bytes) { put(bytes, Spelling::kJson); }

void Output::put(std::string_view bytes, Spelling spelling) {
  if (closed_) return;
  if (!std::exchange(begun_, true) && globals_.bom) buffer_ += "\xef\xbb\xbf";
  if (terminal_) {
    buffer_ += for_terminal(bytes, spelling, wants_color(globals_, fd_));
  } else {
    buffer_ += bytes;
  }
  if (buffer_.size() >= kBufferBytes) flush();
}

void Output::wait_for_room(int fd) const {
  pollfd room{fd, POLLOUT, 0};
  while (::poll(&room, 1, kPollMs) <= 0) {
    if (interrupted()) throw Error(Code::kInterrupted, "stopped: the reader of the results takes no more");
    if (until_ && std::chrono::steady_clock::now() > *until_) {
      throw Error(Code::kUsage, "stopped at the time limit: the reader of the results takes no more",
                  "--timeout S allows more time");
    }
  }
}

void Output::flush() {
  if (!paging_) {
    write_out(fd_);
    return;
  }
  paging_->held += std::exchange(buffer_, {});
  if (!paging_->wants_out(fd_)) return;
  show_held();
}

void Output::show_held() {
  buffer_ = std::exchange(paging_->held, {});
  write_out(paging_->fd());
}

void Output::write_out(int fd) {
  std::size_t at = 0;
  while (at < buffer_.size() && !closed_) {
    // A pipe or terminal that has room at all takes this much without waiting.
    wait_for_room(fd);
    const std::size_t size = regular_ ? buffer_.size() - at : std::min<std::size_t>(buffer_.size() - at, PIPE_BUF);
    const ssize_t wrote = ::write(fd, buffer_.data() + at, size);
    if (wrote >= 0) {
      at += static_cast<std::size_t>(wrote);
    } else if (errno == EPIPE) {
      closed_ = true;
    } else if (errno != EINTR && errno != EAGAIN) {
      fail(file_, errno);
    }
  }
  buffer_.clear();
}

void Output::end_page() {
  flush();
  if (paging_) {
    show_held();
    if (paging_->fd() != fd_) closed_ = false;  // it was the pager's reader who had seen enough
    paging_.reset();
  }
  begin_page();
}

void Output::require_reader() const {
  if (closed_) throw Error(Code::kInterrupted, "the reader of the result is gone");
}

void Output::finish() {
  flush();
  if (paging_) {
    show_held();
    paging_.reset();
  }
  if (temporary_.empty()) return;
  if (::fsync(fd_) != 0 || ::rename(temporary_.c_str(), file_.c_str()) != 0) fail(file_, errno);
  temporary_.clear();
  leftover_.reset();
}

void Output::note(std::string_view line) const {
  if (!globals_.quiet) insist(line);
}

void Output::insist(std::string_view line) const {
  Progress::make_room();
  const std::string text = message_lines(line, STDERR_FILENO);
  if (paging_ && paging_->has_terminal() && ::isatty(STDERR_FILENO) == 1) {
    paging_->held += text;
    return;
  }
  [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, text.data(), text.size());
}

void Output::detail(std::string_view line) const {
  if (globals_.verbose > 0) note(line);
}

Look Output::look() const {
  return {.width = terminal_ && !globals_.wide ? terminal_width(fd_) : 0, .color = wants_color(globals_, fd_)};
}

bool wants_color(const Globals& globals, int fd) {
  if (globals.color != Color::kAuto) return globals.color == Color::kAlways;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool refused = (no_color != nullptr && *no_color != '\0') || term == nullptr || std::strcmp(term, "dumb") == 0;
  return !refused && ::isatty(fd) == 1;
}

std::size_t terminal_width(int fd) {
  winsize size = {};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const long width = columns == nullptr ? 0 : std::strtol(columns, nullptr, 10);
  return width > 0 && width < 10'000 ? static_cast<std::size_t>(width) : 100;
}

}  // namespace residue::cli
