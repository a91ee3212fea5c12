// Child processes: how one is started, waited for and ended. No other file does this,
// except for the process that outlives this one (verbs/passing_folder.h).
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace residue {

// Both ends of a pipe; closed on scope exit, and in programs that are started.
class Pipe {
 public:
  // Nothing where too many files are open.
  static std::optional<Pipe> make();
  ~Pipe();
  Pipe(Pipe&& other) noexcept;
  Pipe& operator=(Pipe&&) = delete;

  [[nodiscard]] int read_end() const { return ends_[0]; }  // -1 once closed
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_read() { close(0); }
  void close_write() { close(1); }

 private:
  Pipe() = default;
  void close(std::size_t end);

  std::array<int, 2> ends_{-1, -1};
};

struct ChildStatus {
  bool signalled = false;
  int code = 0;  // exit code, or signal
};

// A child process; killed and waited for on scope exit.
class Child {
 public:
  // A copy of this process that calls `work` and ends with its result; it dies with this process. Nothing where no
  // process can be made.
  static std::optional<Child> copy(const std::function<int()>& work);

  // What a shell runs, its files, the process group (0: one of its own) and the environment.
  struct Program {
    std::string command;
    int in = -1;
    std::optional<int> out = std::nullopt;  // none: neither output nor standard error
    pid_t group = 0;
    std::vector<std::string> environment = {};  // "NAME=VALUE"; empty: ours
  };
  // Ours, "NAME=VALUE", without the names that begin with `prefix`.
  static std::vector<std::string> environment_without(std::string_view prefix);

  // /bin/sh -c; of our files it has `in`, `out` and our standard error. Nothing where no process can be made.
  static std::optional<Child> shell(const Program& program);

  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  [[nodiscard]] pid_t id() const { return id_; }

  // How it ended; waits for that. May be called again. Throws Error{internal} if somebody else waited for it.
  ChildStatus wait();

  // How it ended; nothing while it runs.
  std::optional<ChildStatus> ended();

 private:
  explicit Child(pid_t id) : id_(id) {}

  pid_t id_;
  std::optional<ChildStatus> status_;
};

// `word` as a shell takes it, quoted where it must be: for Child::shell, and for commands that messages suggest.
std::string shell_word(std::string_view word);

}  // namespace residue
