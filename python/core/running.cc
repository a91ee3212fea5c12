#include "python/core/running.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "base/error.h"

namespace residue::python {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{20};
constexpr std::chrono::milliseconds kTell{100};

// Shared by both threads.
struct Shared {
  std::mutex mutex;
  std::condition_variable ended;
  bool over = false;
  std::exception_ptr failure;
  std::atomic<bool> stop = false;
  // The last state that was told.
  bool fresh = false;
  std::string what;
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
};

void work_on(Shared& shared, const std::function<void(const Running&)>& work) {
  Running running;
  running.interrupted = [&shared] { return shared.stop.load(std::memory_order_relaxed); };
  running.progress = [&shared](const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total) {
    const std::lock_guard lock(shared.mutex);
    shared.fresh = true;
    if (shared.what != what) shared.what = what;
    shared.done = done;
    shared.total = total;
  };
  std::exception_ptr failure;
  try {
    work(running);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(shared.mutex);
  shared.failure = failure;
  shared.over = true;
  shared.ended.notify_all();
}

// What Python's thread does meanwhile.
class Watch {
 public:
  Watch(Shared& shared, const pybind11::object& progress) : shared_(shared), progress_(progress) {}

  // Whether the work is over. Waits a moment for it, without Python's lock.
  bool over() {
    const pybind11::gil_scoped_release released;
    std::unique_lock lock(shared_.mutex);
    return shared_.ended.wait_for(lock, kLook, [&] { return shared_.over; });
  }

  void look() {
    if (failure_) return;
    try {
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
      if (!progress_.is_none() && Clock::now() - told_ >= kTell) tell();
    } catch (pybind11::error_already_set&) {
      stop();
    } catch (const Error&) {
      stop();
    }
  }

  // The end is told, too.
  void last_look() {
    if (!failure_ && !progress_.is_none()) {
      told_ = {};
      look();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void stop() {
    failure_ = std::current_exception();
    shared_.stop = true;
  }

  void tell() {
    std::string what;
    std::uint64_t done = 0;
    std::optional<std::uint64_t> total;
    {
      const std::lock_guard lock(shared_.mutex);
      if (!shared_.fresh) return;
      shared_.fresh = false;
      what = shared_.what;
      done = shared_.done;
      total = shared_.total;
    }
    told_ = Clock::now();
    const pybind11::object of = total ? pybind11::object(pybind11::int_(*total)) : pybind11::none();
    progress_(what, done, of);
  }

  Shared& shared_;
  const pybind11::object& progress_;
  std::exception_ptr failure_;
  Clock::time_point told_;
};

thread_local bool inside = false;

struct Inside {
  Inside() { inside = true; }
  ~Inside() { inside = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

}  // namespace

ProgressFunction Running::progress_of(const char* what) const {
  return [this, what](std::uint64_t done, std::optional<std::uint64_t> total) { progress(what, done, total); };
}

void run(const pybind11::object& progress, const std::function<void(const Running&)>& work) {
  if (inside) {
    throw Error(Code::kUsage, "a progress callback cannot use the store that it is told of",
                "do that after the call has returned");
  }
  const Inside here;
  Shared shared;
  Watch watch(shared, progress);
  std::thread thread([&] { work_on(shared, work); });
  while (!watch.over()) watch.look();
  thread.join();
  watch.last_look();
  if (shared.failure) std::rethrow_exception(shared.failure);
}

}  // namespace residue::python
