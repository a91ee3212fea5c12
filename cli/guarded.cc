#include "cli/guarded.h"

#include <signal.h>
#include <unistd.h>

#include <optional>

#include "base/child.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/print/interrupt.h"

namespace residue::cli {

int run_guarded(const std::function<int()>& work) {
  const pid_t self = ::getpid();
  std::optional<Child> child = Child::copy([&work, self] {
    expect_signals_of(self);
    return report_errors(work);
  });
  if (!child) return work();  // No process to spare: better unguarded than not at all.
  pass_signals_to(child->id());
  const ChildStatus end = child->wait();
  pass_signals_to(0);
  if (!end.signalled) return end.code;
  if (end.code == SIGSEGV || end.code == SIGBUS || end.code == SIGILL || end.code == SIGFPE || end.code == SIGABRT) {
    throw Error(Code::kCorrupt, "the store is damaged: reading its files crashed the engine",
                "restore the last backup: tar xf BACKUP");
  }
  throw Error(Code::kInterrupted, "stopped by a signal", "repeat the command");
}

}  // namespace residue::cli
