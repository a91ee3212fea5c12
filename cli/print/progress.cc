#include "cli/print/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <string_view>
#include <utility>

#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/print/wrap.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kFirst = kSecond;
constexpr std::int64_t kRedraw = kSecond / 10;
constexpr double kRateAfter = 0.5;  // s; what was done in less says nothing of the rest
constexpr std::uint64_t kUnset = std::numeric_limits<std::uint64_t>::max();

std::mutex current_mutex;
Progress* current = nullptr;

void put(int fd, std::string_view text) {
  [[maybe_unused]] const ssize_t wrote = ::write(fd, text.data(), text.size());
}

std::string line_for(const std::string& label, std::uint64_t done, std::uint64_t total, std::uint64_t fresh,
                     double seconds) {
  std::string line = label + "  " + grouped(done);
  const bool bounded = total > 0;
  if (bounded) line += fmt::format("/{}  {} %", grouped(total), std::min<std::uint64_t>(100, done * 100 / total));
  if (fresh == 0 || seconds < kRateAfter) return line;
  const double rate = static_cast<double>(fresh) / seconds;
  line += rate < 9.95 ? fmt::format("  {:.1f}/s", rate) : fmt::format("  {}/s", grouped(std::llround(rate)));
  if (bounded && done < total) line += "  ETA " + duration_text(static_cast<double>(total - done) / rate);
  return line;
}

}  // namespace

std::string progress_line(const std::string& label, std::uint64_t done, std::uint64_t total, double seconds) {
  return line_for(label, done, total, done, seconds);
}

Progress::Progress(const Globals& globals, std::string label, Where where, int fd)
    : label_(std::move(label)),
      fd_(fd),
      on_(!globals.quiet && !globals.no_progress &&
          (where == Where::kAuto ? ::isatty(fd) == 1 : where == Where::kTerminal)),
      quiet_(globals.quiet),
      born_(Clock::now()),
      start_(born_),
      due_ns_(kFirst),
      first_(kUnset),
      last_done_(kUnset),
      last_total_(0) {
  if (on_) ticker_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
  const std::lock_guard hold(current_mutex);
  current = this;
}

Progress::~Progress() {
  if (ticker_.joinable()) {
    ticker_.request_stop();
    ticker_.join();
  }
  {
    const std::lock_guard hold(current_mutex);
    if (current == this) current = nullptr;
  }
  const std::lock_guard hold(drawing_);
  erase();
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (!on_) return;
  // Only what this run does counts for the rate: the first update says where it started.
  std::uint64_t unset = kUnset;
  first_.compare_exchange_strong(unset, done);
  last_total_.store(total, std::memory_order_relaxed);
  last_done_.store(done, std::memory_order_relaxed);
  const Clock::time_point now = Clock::now();
  if (std::chrono::duration_cast<nanoseconds>(now - start_).count() < due_ns_.load(std::memory_order_relaxed)) return;
  const std::unique_lock hold(drawing_, std::try_to_lock);
  if (hold.owns_lock()) draw(done, total, now);
}

void Progress::update(const std::string& label, std::uint64_t done, std::uint64_t total) {
  if (label != label_) {
    const std::lock_guard hold(drawing_);
    erase();
    label_ = label;
    start_ = Clock::now();
    due_ns_ = std::max<std::int64_t>(0, kFirst - std::chrono::duration_cast<nanoseconds>(start_ - born_).count());
    first_ = kUnset;
    last_done_ = kUnset;
    waits_ = told_ = false;
  }
  update(done, total);
}

void Progress::extra(std::string words) {
  const std::lock_guard hold(drawing_);
  if (extra_ != words) extra_ = std::move(words);
}

void Progress::trouble(const std::string& words) {
  const std::lock_guard hold(drawing_);
  waits_ = !words.empty();
  if (!waits_ || quiet_ || told_) return;
  erase();
  put(fd_, message_lines(words, fd_));
  told_ = true;
}

void Progress::make_room() {
  const std::lock_guard hold(current_mutex);
  if (current == nullptr) return;
  const std::lock_guard drawing(current->drawing_);
  current->erase();
}

void Progress::tick(const std::stop_token& stop) {
  std::mutex waiting;
  std::condition_variable_any ended;
  std::unique_lock hold(waiting);
  while (!ended.wait_for(hold, stop, nanoseconds(kSecond), [&] { return stop.stop_requested(); })) {
    const std::lock_guard drawing(drawing_);
    const std::uint64_t done = last_done_.load(std::memory_order_relaxed);
    if (done != kUnset) draw(done, last_total_.load(std::memory_order_relaxed), Clock::now());
  }
}

void Progress::draw(std::uint64_t done, std::uint64_t total, Clock::time_point now) {
  const std::int64_t elapsed = std::chrono::duration_cast<nanoseconds>(now - start_).count();
  due_ns_.store(elapsed + kRedraw, std::memory_order_relaxed);
  const std::uint64_t first = std::min(first_.load(), done);
  // A first update of 1 is the first finished item, not what earlier runs did.
  const std::uint64_t fresh = first <= 1 ? done : done - first;
  std::string line = line_for(label_, done, total, waits_ ? 0 : fresh, static_cast<double>(elapsed) / 1e9);
  if (waits_) line += "  waiting for a reply";
  if (!extra_.empty()) line += "  " + extra_;
  put(fd_, "\r" + text::cut_to_width(line, terminal_width(fd_) - 1) + "\x1b[K");
  drawn_ = true;
}

void Progress::erase() {
  if (drawn_) put(fd_, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace residue::cli
