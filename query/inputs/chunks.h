// Work on many records goes stretch by stretch; between two of them progress is told, and work may be stopped.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/progress.h"

namespace residue::query {

// Calls work(begin, end) for stretches of [0, total), in order, of `at_once` but for the last.
template <class Work>
void in_chunks(std::size_t total, std::size_t at_once, const ProgressFunction& progress, const Work& work) {
  for (std::size_t begin = 0; begin < total; begin += at_once) {
    const std::size_t end = std::min(begin + at_once, total);
    work(begin, end);
    if (progress) progress(end, total);
  }
}

}  // namespace residue::query
