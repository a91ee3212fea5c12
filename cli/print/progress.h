// Progress of work that takes over a second, on standard error:
//   judging  1 240/5 000  24 %  38/s  ETA 1m39s
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/progress.h"
#include "cli/print/globals.h"

namespace residue::cli {

// The line for `done` of `total` after `seconds`; no share and no ETA where total is 0 or nothing is done.
std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total, double seconds);

// On a terminal the line is redrawn ten times a second, or once a second where nothing new is said, and removed at the
// end. Nothing elsewhere, in the first second, with -q or with --no-progress. One is drawn at a time (the newest).
class Progress {
 public:
  enum class Where { kAuto, kTerminal, kElsewhere };  // other than kAuto: for tests

  Progress(const Globals& globals, std::string label, Where where = Where::kAuto, int fd = 2);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From any thread, as often as one likes: between two drawings it costs a look at the clock. `done` counts what is
  // done now, work that earlier runs did included; the rate is of this run.
  void update(std::uint64_t done, std::uint64_t total);

  // Of several things one after another: each has a line and a rate of its own; only the first waits a second. Not from
  // several threads.
  void update(const std::string& label, std::uint64_t done, std::uint64_t total);

  // Words behind the ETA ("cost $0.41  retries 3"). Where they are the same it costs a lock.
  void extra(std::string words);

  // Why nothing happens; empty: it does again. The words are a message of their own, once, even without progress, but
  // never with -q; until it does, the line says that it waits.
  void trouble(const std::string& words);

  // What lower layers are given to call update, with whatever they know; it lives as long as this object.
  ProgressFunction callback() {
    return [this](std::uint64_t done, std::optional<std::uint64_t> total) { update(done, total.value_or(0)); };
  }
  NamedProgressFunction labelled_callback() {
    return [this](const std::string& label, std::uint64_t done, std::optional<std::uint64_t> total) {
      update(label, done, total.value_or(0));
    };
  }

  // Removes the drawn line of whatever progress is on the terminal, before a message is written.
  static void make_room();

 private:
  using Clock = std::chrono::steady_clock;
  void draw(std::uint64_t done, std::uint64_t total, Clock::time_point now);
  void tick(const std::stop_token& stop);  // draws what was said last: a stage may say nothing for long
  void erase();

  std::string label_;
  const int fd_;
  const bool on_;
  const bool quiet_;
  const Clock::time_point born_;
  Clock::time_point start_;
  std::atomic<std::int64_t> due_ns_;  // when to draw next, since start
  std::atomic<std::uint64_t> first_;  // `done` of the first update
  std::atomic<std::uint64_t> last_done_, last_total_;
  std::mutex drawing_;
  std::string extra_;
  bool waits_ = false;
  bool told_ = false;
  bool drawn_ = false;
  std::jthread ticker_;  // last: it ends before anything that it looks at
};

}  // namespace residue::cli
