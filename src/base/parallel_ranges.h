// Ranges of a loop on TBB's threads, with the hand-over visible to ThreadSanitizer.
//
// libtbb.so is not instrumented: TSan sees neither that a loop's bodies run after what came before it, nor that what
// comes after it waits for them. Built for TSan, the loop says so; bodies stay unordered among themselves, so that
// races between them are reported.
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace residue {

using TaskRange = tbb::blocked_range<std::size_t>;

#if defined(__SANITIZE_THREAD__)
namespace detail {

struct HandOver {
  char start = 0, end = 0;
  HandOver() { __tsan_release(&start); }
  ~HandOver() { __tsan_acquire(&end); }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;
};

template <class Body>
[[gnu::noinline]] void run_ranges(HandOver& hand_over, const Body& body, const TaskRange& range) {
  const struct End {
    HandOver& hand_over;
    ~End() { __tsan_release(&hand_over.end); }
  } end{hand_over};
  body(range);
}

template <class Body>
struct VisibleBody {
  HandOver* hand_over;
  const Body* body;
  // Its own fields were copied by TBB: only from the acquire on is anything ordered.
  __attribute__((no_sanitize("thread"))) void operator()(const TaskRange& range) const {
    __tsan_acquire(&hand_over->start);
    run_ranges(*hand_over, *body, TaskRange(range.begin(), range.end()));
  }
};

}  // namespace detail
#endif

// Calls body(range) for ranges that together are [0, count), of about `grain` or more, on any threads; rethrows an
// exception of a body.
template <class Body>
void parallel_ranges(std::size_t count, std::size_t grain, const Body& body) {
  const TaskRange all(0, count, grain);
#if defined(__SANITIZE_THREAD__)
  detail::HandOver hand_over;
  tbb::parallel_for(all, detail::VisibleBody<Body>{&hand_over, &body});
#else
  tbb::parallel_for(all, body);
#endif
}

}  // namespace residue
