// The inner loops of the BM25 kernel: weighted sums of rows of one-byte impacts, and their largest values.
#pragma once

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/simd.h"

namespace residue::index {

// Documents are handled in chunks of this many; every array below has a multiple of it.
constexpr std::size_t kChunk = 64;

// Rows added at once, at most.
constexpr std::size_t kMaxRows = 64;

// Rows and sums in whole cache lines: loads that straddle two cost twice as much.
template <class T>
using Aligned = std::vector<T, tbb::cache_aligned_allocator<T>>;

struct ImpactRow {
  const std::uint8_t* impacts;
  std::uint8_t weight;  // at most 127
};

struct RowOps {
  // sums[i] += D * factor / 65536, rounded up or one more where D > 0, with D the sum of impact * weight at i, for the
  // documents i of the chunks that begin at `chunks`. The caller sees to it that no D exceeds 65,535, no product
  // 16,383, and no sum 65,535, and that there are at most kMaxRows rows.
  void (*add)(std::uint16_t* sums, std::span<const std::uint32_t> chunks, std::span<const ImpactRow> rows,
              std::uint16_t factor);

  // maxima[c] = the largest of sums[64 c] ... sums[64 c + 63], for c < n / 64.
  void (*maxima)(const std::uint16_t* sums, std::size_t n, std::uint16_t* maxima);
};

// The variant must be one of supported_simd().
const RowOps& row_ops(Simd simd);

}  // namespace residue::index
