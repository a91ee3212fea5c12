#include "ingest/mask/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/error.h"
#include "ingest/read/line_reader.h"

extern char** environ;

namespace residue::ingest {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLastPages = 16;  // that are still read of a program that will be killed

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw Error(Code::kIo, "no pipe can be made", "close some programs");
  }
  ~Pipe() {
    close(0);
    close(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close(std::size_t end) {
    if (ends_[end] >= 0) ::close(ends_[end]);
    ends_[end] = -1;
  }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// A program that does not read its input must not kill us: while this lives, writing to it is an error instead.
class WithoutBrokenPipes {
 public:
  WithoutBrokenPipes() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  ~WithoutBrokenPipes() { ::sigaction(SIGPIPE, &before_, nullptr); }
  WithoutBrokenPipes(const WithoutBrokenPipes&) = delete;
  WithoutBrokenPipes& operator=(const WithoutBrokenPipes&) = delete;

 private:
  struct sigaction before_ = {};
};

// A process of sh in the process group `group`, 0: one of its own; of our files it has `in`, `out` (or none) and our
// standard error.
pid_t start(const std::string& command, int in, std::optional<int> out, pid_t group) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_adddup2(&files, in, 0);
  if (out) {
    posix_spawn_file_actions_adddup2(&files, *out, 1);
  } else {
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
  }
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&how, &defaults);
  posix_spawnattr_setpgroup(&how, group);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  const std::string shell = "sh", flag = "-c";
  std::array<char*, 4> words{const_cast<char*>(shell.c_str()), const_cast<char*>(flag.c_str()),
                             const_cast<char*>(command.c_str()), nullptr};
  pid_t child = -1;
  const int failed = ::posix_spawn(&child, "/bin/sh", &files, &how, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (failed != 0) throw Error(Code::kIo, "no process can be started", "close some programs");
  return child;
}

ChildEnd wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error(Code::kInternal, "a child process got lost");
  }
  if (WIFEXITED(status)) return {ChildEnd::How::kExited, WEXITSTATUS(status)};
  return {ChildEnd::How::kSignalled, WTERMSIG(status)};
}

// The program, in a process group with a guard at its head: a shell that waits for the end of a pipe whose other end
// only we have, and then kills the group. So the program does not outlive us, however we end. As long as the guard is
// not waited for, no other group can get their number.
class Child {
 public:
  Child(const std::string& command, int in, int out)
      : guard_(start("trap '' HUP INT QUIT TERM; read -r line; kill -s KILL 0", life_.read_end(), std::nullopt, 0)) {
    try {
      program_ = start(command, in, out, guard_);
    } catch (...) {
      end_guard();
      throw;
    }
    life_.close(0);
  }
  ~Child() {
    if (program_ < 0) return;
    ::kill(-guard_, SIGKILL);
    int status = 0;
    while (::waitpid(program_, &status, 0) < 0 && errno == EINTR) {
    }
    end_guard();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Nothing while it runs. What it has started may go on.
  std::optional<ChildEnd> ended() {
    siginfo_t info = {};
    const bool over = ::waitid(P_PID, static_cast<id_t>(program_), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (!over || info.si_pid != program_) return std::nullopt;
    const ChildEnd end = wait_for(std::exchange(program_, -1));
    end_guard();
    return end;
  }

 private:
  void end_guard() const {
    ::kill(guard_, SIGKILL);
    int status = 0;
    while (::waitpid(guard_, &status, 0) < 0 && errno == EINTR) {
    }
  }

  Pipe life_;
  pid_t guard_;
  pid_t program_ = -1;
};

// Bytes as they come, lines as they are whole.
class Lines {
 public:
  explicit Lines(const std::function<bool(std::string_view)>& line) : line_(line) {}

  // True if a line ended that was one.
  bool take(std::string_view bytes) {
    bool any = false;
    for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
      rest_.append(bytes.substr(0, end));
      any = line_(rest_) || any;
      rest_.clear();
      bytes.remove_prefix(end + 1);
    }
    rest_.append(bytes);
    return any;
  }
  void finish() {
    if (!rest_.empty()) static_cast<void>(line_(rest_));
    rest_.clear();
  }
  [[nodiscard]] std::size_t begun() const { return rest_.size(); }

 private:
  const std::function<bool(std::string_view)>& line_;
  std::string rest_;
};

}  // namespace

ChildEnd run_child(const std::string& command, std::string_view input, std::chrono::milliseconds patience,
                   const std::function<bool(std::string_view line)>& line, const std::function<bool()>& interrupted) {
  const WithoutBrokenPipes quiet;
  Pipe in, out;
  Child child(command, in.read_end(), out.write_end());
  in.close(0);
  out.close(1);
  ::fcntl(in.write_end(), F_SETFL, O_NONBLOCK);
  Lines lines(line);
  std::string buffer(1U << 16U, '\0');
  auto last = Clock::now();
  std::optional<ChildEnd::How> killed;
  if (input.empty()) in.close(1);
  while (!killed) {
    std::array<pollfd, 2> waits{pollfd{out.read_end(), POLLIN, 0}, pollfd{in.write_end(), POLLOUT, 0}};
    ::poll(waits.data(), in.write_end() >= 0 ? 2 : 1, 100);
    if (in.write_end() >= 0 && waits[1].revents != 0) {
      const ssize_t written = ::write(in.write_end(), input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      const bool refused = written < 0 && errno != EAGAIN && errno != EINTR;
      if (input.empty() || refused) in.close(1);
    }
    if (waits[0].revents != 0) {
      const ssize_t read = ::read(out.read_end(), buffer.data(), buffer.size());
      if (read == 0) break;
      if (read > 0 && lines.take({buffer.data(), static_cast<std::size_t>(read)})) last = Clock::now();
    }
    if (lines.begun() > kMaxRowBytes) killed = ChildEnd::How::kTooLong;
    if (Clock::now() - last > patience) killed = ChildEnd::How::kSilent;
    const auto asked = Clock::now();
    if (interrupted && interrupted()) killed = ChildEnd::How::kStopped;
    last += Clock::now() - asked;  // that was ours
  }
  if (killed) {
    // What it has said already may have been paid for.
    ::fcntl(out.read_end(), F_SETFL, O_NONBLOCK);
    for (int pages = 0; pages < kLastPages && killed != ChildEnd::How::kTooLong; ++pages) {
      const ssize_t read = ::read(out.read_end(), buffer.data(), buffer.size());
      if (read <= 0) break;
      static_cast<void>(lines.take({buffer.data(), static_cast<std::size_t>(read)}));
    }
    return {*killed, 0};
  }
  lines.finish();
  in.close(1);
  // Its output is closed; what it still does must not take for ever either.
  for (const auto until = Clock::now() + patience; Clock::now() < until;) {
    if (const auto end = child.ended()) return *end;
    ::usleep(2'000);
  }
  return {ChildEnd::How::kSilent, 0};
}

}  // namespace residue::ingest
