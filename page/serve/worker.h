// A request is answered by a process of its own: it opens the store, reads, and ends. What goes wrong there, or takes
// too long, costs that answer alone; the server itself has nothing of the store open, and never holds a lock.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/child.h"
#include "page/serve/request.h"

namespace residue::page {

inline constexpr std::size_t kMostReplyBytes = 64U << 20U;
inline constexpr std::size_t kMostNewsBytes = 96U << 20U;

class Worker {
 public:
  // Starts `answer` in a copy of this process, which has one thread. Nothing where no process can be made.
  static std::unique_ptr<Worker> start(const std::function<Reply()>& answer, std::chrono::milliseconds limit);

  // Ready to be read where there is something new.
  [[nodiscard]] int pipe() const { return pipe_.read_end(); }

  // Reads what is there. True: the answer is complete, or it failed, or is too large.
  bool read();

  [[nodiscard]] bool late() const { return Clock::now() > until_; }

  // The answer; one with status 503 where there is none.
  Reply finish();

 private:
  using Clock = std::chrono::steady_clock;
  Worker(Pipe pipe, Child child, std::chrono::milliseconds limit)
      : pipe_(std::move(pipe)), child_(std::move(child)), until_(Clock::now() + limit) {}

  Pipe pipe_;
  Child child_;
  Clock::time_point until_;
  std::string bytes_;
};

// {"error", "hint"} as an answer.
Reply failed(int status, const std::string& error, const std::string& hint);

}  // namespace residue::page
