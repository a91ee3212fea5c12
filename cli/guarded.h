// Commands that read everything, in a process of their own: on damaged files the engines themselves may crash, and the
// command that is there to say so must live to say it.
#pragma once

#include <functional>

namespace residue::cli {

// Runs `work` in a child process, which writes its results and errors itself. Returns its exit code; throws
// Error{corrupt} if it was killed by a signal of the processor (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT).
// Call before any thread is started and before a store is opened.
int run_guarded(const std::function<int()>& work);

}  // namespace residue::cli
