#include "index/bm25_kernel/bm25_rows.h"

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace residue::index {
namespace {

void add_portable(std::uint16_t* sums, std::span<const std::uint32_t> chunks, std::span<const ImpactRow> rows,
                  std::uint16_t factor) {
  for (const std::uint32_t i : chunks) {
    std::uint16_t total[kChunk] = {};
    for (const ImpactRow& row : rows) {
      for (std::size_t j = 0; j < kChunk; ++j) {
        total[j] = static_cast<std::uint16_t>(total[j] + row.impacts[i + j] * row.weight);
      }
    }
    for (std::size_t j = 0; j < kChunk; ++j) {
      const std::uint32_t scaled = (std::uint32_t{total[j]} * factor >> 16) + (total[j] != 0);
      sums[i + j] = static_cast<std::uint16_t>(sums[i + j] + scaled);
    }
  }
}

void maxima_portable(const std::uint16_t* sums, std::size_t n, std::uint16_t* maxima) {
  for (std::size_t i = 0; i < n; i += kChunk) {
    std::uint16_t largest = 0;
    for (std::size_t j = 0; j < kChunk; ++j) largest = std::max(largest, sums[i + j]);
    maxima[i / kChunk] = largest;
  }
}

constexpr RowOps kPortableOps = {add_portable, maxima_portable};

#if defined(__x86_64__)

// The rows are taken in pairs; where one is left over its partner weighs nothing.
struct Pair {
  const std::uint8_t* a;
  const std::uint8_t* b;
  short weights;  // as two bytes, a's first
};

struct Pairs {
  std::array<Pair, kMaxRows / 2> list;
  std::size_t count = 0;

  explicit Pairs(std::span<const ImpactRow> rows) {
    for (std::size_t r = 0; r < rows.size(); r += 2) {
      const bool both = r + 1 < rows.size();
      const int weights = rows[r].weight | (both ? rows[r + 1].weight << 8 : 0);
      list[count++] = {rows[r].impacts, rows[both ? r + 1 : r].impacts, static_cast<short>(weights)};
    }
  }
};

__attribute__((target("avx2"))) inline __m256i scaled_avx2(__m256i total, __m256i factor) {
  return _mm256_add_epi16(_mm256_mulhi_epu16(total, factor), _mm256_min_epu16(total, _mm256_set1_epi16(1)));
}

__attribute__((target("avx2"))) inline __m256i load_avx2(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) inline void increase_avx2(std::uint16_t* sums, __m256i by) {
  void* const at = sums;
  _mm256_storeu_si256(static_cast<__m256i*>(at), _mm256_add_epi16(load_avx2(sums), by));
}

// unpack works within halves of 128 bits: `low` holds documents 0-7 and 16-23, `high` 8-15 and 24-31.
template <std::size_t kHalves>
__attribute__((target("avx2"))) inline void add_chunks_avx2(std::uint16_t* sums, const std::uint32_t* chunks,
                                                            const Pairs& pairs, __m256i factors) {
  __m256i low[kHalves], high[kHalves];
  std::size_t at[kHalves];
  for (std::size_t h = 0; h < kHalves; ++h) {
    low[h] = high[h] = _mm256_setzero_si256();
    at[h] = chunks[h / 2] + 32 * (h % 2);
  }
  for (std::size_t p = 0; p < pairs.count; ++p) {
    const Pair& pair = pairs.list[p];
    const __m256i weights = _mm256_set1_epi16(pair.weights);
    for (std::size_t h = 0; h < kHalves; ++h) {
      const __m256i a = load_avx2(pair.a + at[h]);
      const __m256i b = load_avx2(pair.b + at[h]);
      low[h] = _mm256_add_epi16(low[h], _mm256_maddubs_epi16(_mm256_unpacklo_epi8(a, b), weights));
      high[h] = _mm256_add_epi16(high[h], _mm256_maddubs_epi16(_mm256_unpackhi_epi8(a, b), weights));
    }
  }
  for (std::size_t h = 0; h < kHalves; ++h) {
    const __m256i first = scaled_avx2(low[h], factors);
    const __m256i second = scaled_avx2(high[h], factors);
    increase_avx2(sums + at[h], _mm256_permute2x128_si256(first, second, 0x20));
    increase_avx2(sums + at[h] + 16, _mm256_permute2x128_si256(first, second, 0x31));
  }
}

__attribute__((target("avx2"))) void add_avx2(std::uint16_t* sums, std::span<const std::uint32_t> chunks,
                                              std::span<const ImpactRow> rows, std::uint16_t factor) {
  const Pairs pairs(rows);
  const __m256i factors = _mm256_set1_epi16(static_cast<short>(factor));
  std::size_t c = 0;
  for (; c + 2 <= chunks.size(); c += 2) add_chunks_avx2<4>(sums, chunks.data() + c, pairs, factors);
  if (c < chunks.size()) add_chunks_avx2<2>(sums, chunks.data() + c, pairs, factors);
}

__attribute__((target("avx2"))) void maxima_avx2(const std::uint16_t* sums, std::size_t n, std::uint16_t* maxima) {
  for (std::size_t i = 0; i < n; i += kChunk) {
    const __m256i most = _mm256_max_epu16(_mm256_max_epu16(load_avx2(sums + i), load_avx2(sums + i + 16)),
                                          _mm256_max_epu16(load_avx2(sums + i + 32), load_avx2(sums + i + 48)));
    const __m128i half = _mm_max_epu16(_mm256_castsi256_si128(most), _mm256_extracti128_si256(most, 1));
    // The only horizontal instruction there is finds the smallest.
    const __m128i least = _mm_minpos_epu16(_mm_xor_si128(half, _mm_set1_epi16(-1)));
    maxima[i / kChunk] = static_cast<std::uint16_t>(~_mm_extract_epi16(least, 0));
  }
}

constexpr RowOps kAvx2Ops = {add_avx2, maxima_avx2};

__attribute__((target("avx512f,avx512bw"))) inline __m512i scaled_avx512(__m512i total, __m512i factor) {
  return _mm512_add_epi16(_mm512_mulhi_epu16(total, factor), _mm512_min_epu16(total, _mm512_set1_epi16(1)));
}

__attribute__((target("avx512f,avx512bw"))) inline void increase_avx512(std::uint16_t* sums, __m512i by) {
  _mm512_storeu_si512(sums, _mm512_add_epi16(_mm512_loadu_si512(sums), by));
}

// As above, with four quarters: `low` holds documents 0-7, 16-23, 32-39 and 48-55.
template <std::size_t kChunks>
__attribute__((target("avx512f,avx512bw"))) inline void add_chunks_avx512(std::uint16_t* sums,
                                                                          const std::uint32_t* chunks,
                                                                          const Pairs& pairs, __m512i factors) {
  const __m512i first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
  const __m512i second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
  __m512i low[kChunks], high[kChunks];
  for (std::size_t c = 0; c < kChunks; ++c) low[c] = high[c] = _mm512_setzero_si512();
  for (std::size_t p = 0; p < pairs.count; ++p) {
    const Pair& pair = pairs.list[p];
    const __m512i weights = _mm512_set1_epi16(pair.weights);
    for (std::size_t c = 0; c < kChunks; ++c) {
      const __m512i a = _mm512_loadu_si512(pair.a + chunks[c]);
      const __m512i b = _mm512_loadu_si512(pair.b + chunks[c]);
      low[c] = _mm512_add_epi16(low[c], _mm512_maddubs_epi16(_mm512_unpacklo_epi8(a, b), weights));
      high[c] = _mm512_add_epi16(high[c], _mm512_maddubs_epi16(_mm512_unpackhi_epi8(a, b), weights));
    }
  }
  for (std::size_t c = 0; c < kChunks; ++c) {
    const __m512i lows = scaled_avx512(low[c], factors);
    const __m512i highs = scaled_avx512(high[c], factors);
    increase_avx512(sums + chunks[c], _mm512_permutex2var_epi64(lows, first, highs));
    increase_avx512(sums + chunks[c] + 32, _mm512_permutex2var_epi64(lows, second, highs));
  }
}

__attribute__((target("avx512f,avx512bw"))) void add_avx512(std::uint16_t* sums, std::span<const std::uint32_t> chunks,
                                                            std::span<const ImpactRow> rows, std::uint16_t factor) {
  const Pairs pairs(rows);
  const __m512i factors = _mm512_set1_epi16(static_cast<short>(factor));
  std::size_t c = 0;
  for (; c + 4 <= chunks.size(); c += 4) add_chunks_avx512<4>(sums, chunks.data() + c, pairs, factors);
  for (; c < chunks.size(); ++c) add_chunks_avx512<1>(sums, chunks.data() + c, pairs, factors);
}

constexpr RowOps kAvx512Ops = {add_avx512, maxima_avx2};

#endif

}  // namespace

const RowOps& row_ops(Simd simd) {
#if defined(__x86_64__)
  if (simd == Simd::kAvx512) return kAvx512Ops;
  if (simd == Simd::kAvx2) return kAvx2Ops;
#endif
  static_cast<void>(simd);
  return kPortableOps;
}

}  // namespace residue::index
