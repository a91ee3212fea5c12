#include "cli/print/interrupt.h"

#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <initializer_list>
#include <string_view>

#include "base/error.h"
#include "model/limits/in_flight.h"
#include "storage/disk/leftovers.h"

namespace residue::cli {
namespace {

constexpr int kTickMs = 100;
constexpr int kOrderlyTicks = 8;                 // for stopping in order: a second, with some to spare
constexpr int kTermGraceMs = 20'000;             // for what is paid for: whoever sends SIGTERM sends SIGKILL soon
constexpr int kSettleMs = 2'000;                 // for noting down what got no reply
constexpr std::string_view kErase = "\r\x1b[K";  // a line of progress
constexpr std::string_view kSaid =
    "residue: stopped: nothing is stored by halves, and the same command again does the rest\n";

std::atomic<int> came = 0;  // the first signal
std::atomic<int> idle_ticks = 0, flight_ticks = 0;
std::atomic<pid_t> child = 0, parent = 0;
std::atomic<bool> keeps = false, kept = false;  // SIGINT ends what is being done; one came
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

// What follows runs in signal handlers: nothing that allocates or locks, and no write that could wait.
void say(std::string_view words) {
  pollfd error{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&error, 1, 0) != 1 || (error.revents & POLLOUT) == 0) return;
  [[maybe_unused]] const ssize_t wrote = ::write(STDERR_FILENO, words.data(), words.size());
}

[[noreturn]] void end_now() {
  storage::remove_leftovers();
  ::_exit(interrupt_code());
}

extern "C" void on_signal(int signal, siginfo_t* info, void* /*context*/) {
  if (signal == SIGINT && keeps) {
    kept = true;
    return;
  }
  const int error = errno;
  int none = 0;
  if (!came.compare_exchange_strong(none, signal)) {
    if (parent != 0 && info->si_pid == parent) return;
    end_now();
  }
  if (signal == SIGTERM) model::set_flight_grace_ms(kTermGraceMs);
  const itimerval ticks{{0, kTickMs * 1000}, {0, kTickMs * 1000}};
  ::setitimer(ITIMER_REAL, &ticks, nullptr);
  if (child != 0) ::kill(child, signal);
  errno = error;
}

extern "C" void on_tick(int /*signal*/) {
  const int error = errno;
  const bool flying = model::requests_in_flight() > 0;
  (flying ? flight_ticks : idle_ticks) += 1;
  const bool over = flight_ticks * kTickMs > model::flight_grace_ms() + kSettleMs;
  // A parent gives its child the last word.
  if (over || idle_ticks >= kOrderlyTicks + (child != 0 ? 1 : 0)) {
    if (child == 0) {
      if (::isatty(STDERR_FILENO) == 1) say(kErase);
      say(kSaid);
    }
    end_now();
  }
  errno = error;
}

}  // namespace

bool interrupted() { return must_end() || kept.load(std::memory_order_relaxed); }

bool must_end() { return came.load(std::memory_order_relaxed) != 0; }

void keep_interrupts() { keeps = true; }

void forget_interrupt() { kept = false; }

int interrupt_code() {
  const int signal = came;
  return signal == 0 ? static_cast<int>(Code::kInterrupted) : 128 + signal;
}

void watch_signals() {
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = on_tick;
  ::sigaction(SIGALRM, &action, nullptr);
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  action.sa_sigaction = on_signal;
  // SIGHUP: a closed terminal.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

void pass_signals_to(pid_t process) { child = process; }

void expect_signals_of(pid_t process) { parent = process; }

}  // namespace residue::cli
