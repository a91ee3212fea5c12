#include "base/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <utility>

#include "base/error.h"

extern char** environ;

namespace residue {

std::optional<Pipe> Pipe::make() {
  Pipe made;
  if (::pipe2(made.ends_.data(), O_CLOEXEC) != 0) return std::nullopt;
  return made;
}

Pipe::~Pipe() {
  close_read();
  close_write();
}

Pipe::Pipe(Pipe&& other) noexcept : ends_(std::exchange(other.ends_, {-1, -1})) {}

void Pipe::close(std::size_t end) {
  if (ends_[end] >= 0) ::close(ends_[end]);
  ends_[end] = -1;
}

std::optional<Child> Child::copy(const std::function<int()>& work) {
  const pid_t parent = ::getpid();
  const pid_t id = ::fork();
  if (id < 0) return std::nullopt;
  if (id == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0);  // It died before it could have told.
    ::_exit(work());
  }
  return Child(id);
}

std::vector<std::string> Child::environment_without(std::string_view prefix) {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with(prefix)) variables.emplace_back(*variable);
  }
  return variables;
}

std::optional<Child> Child::shell(const Program& program) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawn_file_actions_adddup2(&files, program.in, 0);
  if (program.out) {
    posix_spawn_file_actions_adddup2(&files, *program.out, 1);
  } else {
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
  }
  posix_spawn_file_actions_addclosefrom_np(&files, 3);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&how, &defaults);
  posix_spawnattr_setpgroup(&how, program.group);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::string shell = "sh", flag = "-c", command = program.command;
  std::array<char*, 4> words{shell.data(), flag.data(), command.data(), nullptr};
  pid_t id = -1;
  std::vector<std::string> environment = program.environment;
  std::vector<char*> variables;
  for (std::string& variable : environment) variables.push_back(variable.data());
  variables.push_back(nullptr);
  const int failed =
      ::posix_spawn(&id, "/bin/sh", &files, &how, words.data(), environment.empty() ? environ : variables.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (failed != 0) return std::nullopt;
  return Child(id);
}

Child::Child(Child&& other) noexcept : id_(std::exchange(other.id_, -1)), status_(other.status_) {}

Child::~Child() {
  if (id_ < 0 || status_) return;
  ::kill(id_, SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
}

ChildStatus Child::wait() {
  if (status_) return *status_;
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0) {
    if (errno != EINTR) throw Error(Code::kInternal, "a child process got lost");
  }
  status_ = WIFEXITED(status) ? ChildStatus{false, WEXITSTATUS(status)} : ChildStatus{true, WTERMSIG(status)};
  return *status_;
}

std::optional<ChildStatus> Child::ended() {
  siginfo_t info = {};
  const bool over = status_ || (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                                info.si_pid == id_);
  if (!over) return std::nullopt;
  return wait();
}

std::string shell_word(std::string_view word) {
  const auto plain = [](unsigned char byte) {
    return std::isalnum(byte) != 0 || byte >= 0x80 ||
           std::string_view("_./:@%+,=-").find(static_cast<char>(byte)) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  std::string quoted = "'";
  for (const char byte : word) quoted += byte == '\'' ? std::string("'\\''") : std::string(1, byte);
  return quoted + "'";
}

}  // namespace residue
