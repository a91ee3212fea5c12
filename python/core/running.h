// Runs work of C++ while Python waits. The work does not hold Python's lock, tells its progress, and Ctrl-C stops it.
//
//   Python's thread: waits, 20 ms at a time ── signals? progress to tell? ──┐
//   a thread of the work's own: work(Running) ── interrupted(), progress() ─┘
//
// Only Python's main thread hears of signals, and a callback may draw in a notebook: so the caller's thread stays free
// for both, whatever the work is doing.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <utility>

#include "base/progress.h"

namespace residue::python {

// What the work may call, from any thread.
struct Running {
  std::function<bool()> interrupted;
  NamedProgressFunction progress;  // costs little: only the last state is told, ten times a second

  // The same for work of one kind.
  [[nodiscard]] ProgressFunction progress_of(const char* what) const;
};

// Runs `work` and returns behind its end. `progress`: None, or a callable (what: str, done: int, total: int | None). An
// exception of the callable, or KeyboardInterrupt, asks the work to stop and is thrown when it has. Else throws what
// the work throws. The caller holds Python's lock; the work does not and touches nothing of Python. Throws Error{usage}
// from a progress callback: the work that it is called by holds the store.
void run(const pybind11::object& progress, const std::function<void(const Running&)>& work);

// The same for a work with a result.
template <class Work>
auto run_for(const pybind11::object& progress, const Work& work) {
  std::optional<decltype(work(std::declval<const Running&>()))> result;
  run(progress, [&](const Running& running) { result.emplace(work(running)); });
  return std::move(*result);
}

}  // namespace residue::python
