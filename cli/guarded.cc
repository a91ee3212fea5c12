#include "cli/guarded.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "cli/cli.h"

namespace residue::cli {

int run_guarded(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child < 0) return work();  // No process to spare: better unguarded than not at all.
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::_exit(report_errors(work));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Error(Code::kInternal, "a child process got lost");
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGABRT) {
    throw Error(Code::kCorrupt, "the store is damaged: reading its files crashed the engine",
                "restore the last backup: tar xf BACKUP");
  }
  throw Error(Code::kInterrupted, "stopped by a signal", "repeat the command");
}

}  // namespace residue::cli
