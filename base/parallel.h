// The same work for many things, on a few threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace residue {

// Calls work(i) once for each i in [0, count), on at most `jobs` threads, in no particular order. Each call must
// write its result to a place of its own. Rethrows the first exception after all threads have ended.
template <class Work>
void parallel_for(std::size_t count, unsigned jobs, const Work& work) {
  if (jobs <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex failing;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failed) failed = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min<std::size_t>(jobs, count); ++i) threads.emplace_back(run);
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace residue
