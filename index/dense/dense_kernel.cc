#include "index/dense/dense_kernel.h"

#include <array>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace residue::index {
namespace {

template <std::size_t kQueries, std::size_t kCandidates>
std::uint32_t multiply_portable(const float* queries, const float* candidates, std::size_t dimension,
                                const float* floors, float* products) {
  std::array<float, kQueries * kCandidates> sums{};
  for (std::size_t i = 0; i < dimension; ++i, queries += kQueries, candidates += kCandidates) {
    for (std::size_t q = 0; q < kQueries; ++q) {
      for (std::size_t c = 0; c < kCandidates; ++c) sums[q * kCandidates + c] += queries[q] * candidates[c];
    }
  }
  std::uint32_t found = 0;
  for (std::size_t q = 0; q < kQueries; ++q) {
    for (std::size_t c = 0; c < kCandidates; ++c) {
      const float sum = sums[q * kCandidates + c];
      products[q * kCandidates + c] = sum;
      if (sum >= floors[q]) found |= 1U << q;
    }
  }
  return found;
}

#if defined(__x86_64__)

constexpr std::size_t kAvx2Queries = 6;  // 12 sums, 2 of the candidates and 1 of the queries in 16 registers
constexpr std::size_t kAvx2Candidates = 16;

[[gnu::target("avx2,fma")]] std::uint32_t multiply_avx2(const float* queries, const float* candidates,
                                                        std::size_t dimension, const float* floors, float* products) {
  __m256 sums[kAvx2Queries][2];
#pragma GCC unroll 6
  for (auto& row : sums) row[0] = row[1] = _mm256_setzero_ps();
  for (std::size_t i = 0; i < dimension; ++i, queries += kAvx2Queries, candidates += kAvx2Candidates) {
    const __m256 low = _mm256_load_ps(candidates);
    const __m256 high = _mm256_load_ps(candidates + 8);
#pragma GCC unroll 6
    for (std::size_t q = 0; q < kAvx2Queries; ++q) {
      const __m256 query = _mm256_broadcast_ss(queries + q);
      sums[q][0] = _mm256_fmadd_ps(query, low, sums[q][0]);
      sums[q][1] = _mm256_fmadd_ps(query, high, sums[q][1]);
    }
  }
  std::uint32_t found = 0;
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kAvx2Queries; ++q) {
    const __m256 floor = _mm256_broadcast_ss(floors + q);
    const __m256 over =
        _mm256_or_ps(_mm256_cmp_ps(sums[q][0], floor, _CMP_GE_OQ), _mm256_cmp_ps(sums[q][1], floor, _CMP_GE_OQ));
    found |= static_cast<std::uint32_t>(_mm256_movemask_ps(over) != 0) << q;
  }
  if (found == 0) return 0;
#pragma GCC unroll 6
  for (std::size_t q = 0; q < kAvx2Queries; ++q) {
    _mm256_storeu_ps(products + q * kAvx2Candidates, sums[q][0]);
    _mm256_storeu_ps(products + q * kAvx2Candidates + 8, sums[q][1]);
  }
  return found;
}

constexpr std::size_t kAvx512Queries = 14;  // 28 sums and 2 of the candidates in 32 registers
constexpr std::size_t kAvx512Candidates = 32;

[[gnu::target("avx512f")]] std::uint32_t multiply_avx512(const float* queries, const float* candidates,
                                                         std::size_t dimension, const float* floors, float* products) {
  __m512 sums[kAvx512Queries][2];
#pragma GCC unroll 14
  for (auto& row : sums) row[0] = row[1] = _mm512_setzero_ps();
  for (std::size_t i = 0; i < dimension; ++i, queries += kAvx512Queries, candidates += kAvx512Candidates) {
    const __m512 low = _mm512_load_ps(candidates);
    const __m512 high = _mm512_load_ps(candidates + 16);
#pragma GCC unroll 14
    for (std::size_t q = 0; q < kAvx512Queries; ++q) {
      const __m512 query = _mm512_set1_ps(queries[q]);
      sums[q][0] = _mm512_fmadd_ps(query, low, sums[q][0]);
      sums[q][1] = _mm512_fmadd_ps(query, high, sums[q][1]);
    }
  }
  std::uint32_t found = 0;
#pragma GCC unroll 14
  for (std::size_t q = 0; q < kAvx512Queries; ++q) {
    const __m512 floor = _mm512_set1_ps(floors[q]);
    const auto low = _mm512_cmp_ps_mask(sums[q][0], floor, _CMP_GE_OQ);
    const auto high = _mm512_cmp_ps_mask(sums[q][1], floor, _CMP_GE_OQ);
    found |= static_cast<std::uint32_t>((low | high) != 0) << q;
  }
  if (found == 0) return 0;
#pragma GCC unroll 14
  for (std::size_t q = 0; q < kAvx512Queries; ++q) {
    _mm512_storeu_ps(products + q * kAvx512Candidates, sums[q][0]);
    _mm512_storeu_ps(products + q * kAvx512Candidates + 16, sums[q][1]);
  }
  return found;
}

#endif

std::vector<DenseKernel> runnable() {
  std::vector<DenseKernel> kernels = {{Simd::kPortable, 4, 8, multiply_portable<4, 8>}};
#if defined(__x86_64__)
  for (const Simd simd : supported_simd()) {
    if (simd == Simd::kAvx2 && __builtin_cpu_supports("fma")) {
      kernels.push_back({simd, kAvx2Queries, kAvx2Candidates, multiply_avx2});
    }
    if (simd == Simd::kAvx512) kernels.push_back({simd, kAvx512Queries, kAvx512Candidates, multiply_avx512});
  }
#endif
  return kernels;
}

}  // namespace

std::span<const DenseKernel> dense_kernels() {
  static const std::vector<DenseKernel> kernels = runnable();
  return kernels;
}

}  // namespace residue::index
