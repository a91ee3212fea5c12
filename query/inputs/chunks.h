// Work on many records goes stretch by stretch; between two of them progress is told, and work may be stopped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace residue::query {

// How far it is; may throw, to stop. May be empty.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// Calls work(begin, end) for stretches of [0, total), in order, of `at_once` but for the last.
template <class Work>
void in_chunks(std::size_t total, std::size_t at_once, const Progress& progress, const Work& work) {
  for (std::size_t begin = 0; begin < total; begin += at_once) {
    const std::size_t end = std::min(begin + at_once, total);
    work(begin, end);
    if (progress) progress(end, total);
  }
}

}  // namespace residue::query
