// Who waits for a lock may be asked to stop.
#pragma once

#include <functional>

namespace residue::storage {

// While it lives, a wait of this thread for a lock ends with Error{interrupted} soon after `asked` says so. A program
// whose process ends at a signal needs none; a library does. The innermost counts.
class StopWaiting {
 public:
  explicit StopWaiting(std::function<bool()> asked);
  ~StopWaiting();
  StopWaiting(const StopWaiting&) = delete;
  StopWaiting& operator=(const StopWaiting&) = delete;

  // Of this thread.
  static void look();

 private:
  std::function<bool()> asked_;
  const StopWaiting* outer_;
};

}  // namespace residue::storage
