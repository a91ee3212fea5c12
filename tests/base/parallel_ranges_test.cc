// parallel_ranges, and that the tsan preset sees through it.
#include "base/parallel_ranges.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace residue {
namespace {

TEST(ParallelRanges, CoversEveryIndexOnce) {
  for (const std::size_t count : {0, 1, 7, 64, 1000}) {
    for (const std::size_t grain : {1, 16, 2000}) {
      std::vector<std::atomic<int>> seen(count);
      parallel_ranges(count, grain, [&](const TaskRange& range) {
        for (std::size_t i = range.begin(); i != range.end(); ++i) ++seen[i];
      });
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(seen[i], 1) << i << " of " << count;
    }
  }
}

TEST(ParallelRanges, RethrowsWhatABodyThrows) {
  EXPECT_THROW(parallel_ranges(8, 1, [](const TaskRange&) { throw std::runtime_error("body"); }), std::runtime_error);
}

// Two bodies, on two threads for certain, write one variable: TSan must say so.
[[maybe_unused]] void race() {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  tbb::task_arena(2).execute([] {
    std::atomic<int> inside = 0;
    long shared = 0;
    parallel_ranges(2, 1, [&](const TaskRange&) {
      inside.fetch_add(1, std::memory_order_relaxed);  // orders nothing
      const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (inside.load(std::memory_order_relaxed) < 2 && std::chrono::steady_clock::now() < late) {
        std::this_thread::yield();
      }
      ++shared;
    });
  });
}

TEST(ParallelRangesDeathTest, RacesBetweenBodiesAreReported) {
#if defined(__SANITIZE_THREAD__)
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(race(), "ThreadSanitizer: data race");
#else
  GTEST_SKIP() << "only the tsan preset reports races";
#endif
}

}  // namespace
}  // namespace residue
