#include "storage/disk/stop_waiting.h"

#include <utility>

#include "base/error.h"

namespace residue::storage {
namespace {

thread_local const StopWaiting* innermost = nullptr;

}  // namespace

StopWaiting::StopWaiting(std::function<bool()> asked) : asked_(std::move(asked)), outer_(innermost) {
  innermost = this;
}

StopWaiting::~StopWaiting() { innermost = outer_; }

void StopWaiting::look() {
  if (innermost != nullptr && innermost->asked_ && innermost->asked_()) {
    throw Error(Code::kInterrupted, "stopped while waiting for another program", "repeat the command");
  }
}

}  // namespace residue::storage
