// The wall clock, for what is told to people and kept for the record: it enters no result.
#pragma once

#include <chrono>
#include <cstdint>

namespace residue {

// Unix milliseconds.
inline std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace residue
