// Ranges of a loop on TBB's threads; built for ThreadSanitizer, on threads of our own.
//
// libtbb.so is not instrumented: TSan sees neither that a loop's bodies run after what came before it, nor that what
// comes after it waits for them, and takes TBB's own fields for races. Threads of our own it sees through. Bodies stay
// unordered among themselves, so that races between them are reported (tests/base/parallel_ranges_test.cc).
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace residue {

using TaskRange = tbb::blocked_range<std::size_t>;

#if defined(__SANITIZE_THREAD__)
namespace detail {

template <class Body>
void run_on_threads(std::size_t count, std::size_t grain, const Body& body) {
  std::atomic<std::size_t> next = 0;
  std::mutex failing;
  std::exception_ptr failure;
  const auto work = [&] {
    // Relaxed: taking a range must not order it after the range before.
    for (std::size_t i = next.fetch_add(grain, std::memory_order_relaxed); i < count;
         i = next.fetch_add(grain, std::memory_order_relaxed)) {
      try {
        body(TaskRange(i, std::min(count, i + grain)));
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
        next.store(count, std::memory_order_relaxed);
      }
    }
  };
  const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  const auto arena = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t threads = std::min({allowed, arena, (count + grain - 1) / grain});
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail
#endif

// Calls body(range) for ranges that together are [0, count), of about `grain` or more, on any threads; rethrows an
// exception of a body.
template <class Body>
void parallel_ranges(std::size_t count, std::size_t grain, const Body& body) {
#if defined(__SANITIZE_THREAD__)
  detail::run_on_threads(count, grain, body);
#else
  tbb::parallel_for(TaskRange(0, count, grain), body);
#endif
}

}  // namespace residue
