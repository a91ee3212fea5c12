// What this process has computed for: it does not wait for others on the machine.
#pragma once

#include <time.h>

namespace residue::bench {

// Processor seconds of all threads so far.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// Those of one call.
template <class F>
double timed(const F& f) {
  const double before = cpu_seconds();
  f();
  return cpu_seconds() - before;
}

}  // namespace residue::bench
