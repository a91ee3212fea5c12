// A store as the functions of the module open it: for one call, one at a time in this process.
//
// The engines must not be opened twice in one process, and a process with an open store must not be forked. So a Store
// of Python is only a path; each call opens it, works, and closes it, as the program does.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <mutex>
#include <string>

#include "python/core/running.h"
#include "storage/disk/stop_waiting.h"
#include "storage/store.h"

namespace residue::python {

// On the thread of the work that uses it.
class OpenStore {
 public:
  // Waits for other calls of this process and for other programs; Error{busy} after half a minute, Error{interrupted}
  // soon after `running` says so, now and wherever the store waits.
  OpenStore(const std::string& path, const Running& running, bool read_only = false);

  storage::Store& operator*() { return *store_; }
  storage::Store* operator->() { return &*store_; }

 private:
  std::unique_lock<std::timed_mutex> alone_;
  storage::StopWaiting waiting_;
  std::unique_ptr<storage::Store> store_;
};

void bind_stores(pybind11::module_& module);

}  // namespace residue::python
