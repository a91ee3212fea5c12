#include "cli/guarded.h"

#include <signal.h>

#include <optional>

#include "base/child.h"
#include "base/error.h"
#include "cli/cli.h"

namespace residue::cli {

int run_guarded(const std::function<int()>& work) {
  std::optional<Child> child = Child::copy([&work] { return report_errors(work); });
  if (!child) return work();  // No process to spare: better unguarded than not at all.
  const ChildStatus end = child->wait();
  if (!end.signalled) return end.code;
  if (end.code == SIGSEGV || end.code == SIGBUS || end.code == SIGILL || end.code == SIGFPE || end.code == SIGABRT) {
    throw Error(Code::kCorrupt, "the store is damaged: reading its files crashed the engine",
                "restore the last backup: tar xf BACKUP");
  }
  throw Error(Code::kInterrupted, "stopped by a signal", "repeat the command");
}

}  // namespace residue::cli
