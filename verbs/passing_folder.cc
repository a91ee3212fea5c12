#include "verbs/passing_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"
#include "storage/disk/files.h"

namespace residue::verbs {
namespace fs = std::filesystem;

namespace {

// Waits for the other end of the pipe to close. Signals of the terminal are left to the main process.
[[noreturn]] void remove_at_end(int pipe, const fs::path& path) {
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  char byte = 0;
  while (::read(pipe, &byte, 1) != 0 && errno == EINTR) {
  }
  storage::discard(path);
  ::_exit(0);
}

}  // namespace

PassingFolder::PassingFolder(const std::string& name) {
  std::string made = (fs::temp_directory_path() / (name + "-XXXXXX")).string();
  if (::mkdtemp(made.data()) == nullptr) {
    throw Error(Code::kIo, fmt::format("cannot make a folder {}: {}", made, std::strerror(errno)),
                "set TMPDIR to a folder that you can write to");
  }
  path_ = made;
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) == 0) remover_ = ::fork();
  if (remover_ == 0) {
    ::close(ends[1]);
    remove_at_end(ends[0], path_);
  }
  if (ends[0] >= 0) ::close(ends[0]);
  alive_ = ends[1];
  if (remover_ > 0) return;
  const int error = errno;
  if (alive_ >= 0) ::close(alive_);
  storage::discard(path_);
  throw Error(Code::kIo, fmt::format("cannot start a process: {}", std::strerror(error)));
}

PassingFolder::~PassingFolder() {
  storage::discard(path_);
  ::close(alive_);
  while (::waitpid(remover_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace residue::verbs
