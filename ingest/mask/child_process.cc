#include "ingest/mask/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/child.h"
#include "base/error.h"
#include "ingest/read/line_reader.h"

namespace residue::ingest {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLastPages = 16;  // that are still read of a program that will be killed

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

Pipe made_pipe() {
  std::optional<Pipe> made = Pipe::make();
  if (!made) throw Error(Code::kIo, "no pipe can be made", "close some programs");
  return *std::move(made);
}

Child started(const Child::Program& program) {
  std::optional<Child> made = Child::shell(program);
  if (!made) throw Error(Code::kIo, "no process can be started", "close some programs");
  return *std::move(made);
}

// The program, in a process group with a guard at its head: a shell that waits for the end of a pipe whose other end
// only we have, and then kills the group. So the program does not outlive us, however we end. As long as the guard is
// not waited for, no other group can get their number.
class GuardedProgram {
 public:
  GuardedProgram(const std::string& command, int in, int out, const std::vector<std::string>& environment)
      : guard_(started({.command = "trap '' HUP INT QUIT TERM; read -r line; kill -s KILL 0", .in = life_.read_end()})),
        program_(
            started({.command = command, .in = in, .out = out, .group = guard_.id(), .environment = environment})) {
    life_.close_read();
  }
  ~GuardedProgram() {
    if (!over_) ::kill(-guard_.id(), SIGKILL);
  }
  GuardedProgram(const GuardedProgram&) = delete;
  GuardedProgram& operator=(const GuardedProgram&) = delete;

  // Nothing while it runs. What it has started may go on.
  std::optional<ChildEnd> ended() {
    const std::optional<ChildStatus> end = program_.ended();
    if (!end) return std::nullopt;
    over_ = true;
    return ChildEnd{end->signalled ? ChildEnd::How::kSignalled : ChildEnd::How::kExited, end->code};
  }

 private:
  Pipe life_ = made_pipe();
  Child guard_;  // waited for after the program
  Child program_;
  bool over_ = false;
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
                   const std::function<bool(std::string_view line)>& line, const std::function<bool()>& interrupted,
                   const std::vector<std::string>& environment) {
  const WithoutBrokenPipes quiet;
  Pipe in = made_pipe(), out = made_pipe();
  GuardedProgram child(command, in.read_end(), out.write_end(), environment);
  in.close_read();
  out.close_write();
  ::fcntl(in.write_end(), F_SETFL, O_NONBLOCK);
  Lines lines(line);
  std::string buffer(1U << 16U, '\0');
  auto last = Clock::now();
  std::optional<ChildEnd::How> killed;
  if (input.empty()) in.close_write();
  while (!killed) {
    std::array<pollfd, 2> waits{pollfd{out.read_end(), POLLIN, 0}, pollfd{in.write_end(), POLLOUT, 0}};
    ::poll(waits.data(), in.write_end() >= 0 ? 2 : 1, 100);
    if (in.write_end() >= 0 && waits[1].revents != 0) {
      const ssize_t written = ::write(in.write_end(), input.data(), input.size());
      if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
      const bool refused = written < 0 && errno != EAGAIN && errno != EINTR;
      if (input.empty() || refused) in.close_write();
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
  in.close_write();
  // Its output is closed; what it still does must not take for ever either.
  for (const auto until = Clock::now() + patience; Clock::now() < until;) {
    if (const auto end = child.ended()) return *end;
    ::usleep(2'000);
  }
  return {ChildEnd::How::kSilent, 0};
}

}  // namespace residue::ingest
