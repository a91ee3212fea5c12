// The kernels for AVX-512 with population counts (Ice Lake, Zen 4 and later).
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "index/rouge/rouge_simd_table.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512vpopcntdq,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512vpopcntdq,popcnt,prefer-vector-width=512")
#endif

#include "index/rouge/rouge_kernels.h"

namespace residue::index {
namespace {

struct Avx512Ops {
  typedef std::uint32_t V32 __attribute__((vector_size(64)));
  typedef std::uint64_t V64 __attribute__((vector_size(64)));
  static constexpr std::size_t kPairInLanes = 10;
  static constexpr std::size_t kVectors32 = 4;
  static constexpr std::size_t kVectors64 = 8;

  // The truth table of any function of three bits, by its value where the inputs are 0xf0, 0xcc and 0xaa.
  template <int kTable, class V>
  static V logic(V a, V b, V c) {
    return reinterpret_cast<V>(_mm512_ternarylogic_epi64(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b),
                                                         reinterpret_cast<__m512i>(c), kTable));
  }
  static V64 xor3(V64 a, V64 b, V64 c) { return logic<0xf0 ^ 0xcc ^ 0xaa>(a, b, c); }
  static V64 majority(V64 a, V64 b, V64 c) { return logic<(0xf0 & 0xcc) | (0xaa & (0xf0 ^ 0xcc))>(a, b, c); }
  static V64 or3(V64 a, V64 b, V64 c) { return logic<0xf0 | 0xcc | 0xaa>(a, b, c); }
  static V64 andnot(V64 a, V64 b) { return a & ~b; }
  template <class V>
  static V or_andnot(V a, V b, V c) {
    return logic<0xf0 | (0xcc & ~0xaa)>(a, b, c);
  }
  static V64 and_xor(V64 a, V64 b, V64 c) { return logic<0xf0 & (0xcc ^ 0xaa)>(a, b, c); }

  static std::uint64_t reached32(V32 column, std::size_t lane, const std::uint32_t* least, std::uint32_t* lcs) {
    const __m512i length = _mm512_popcnt_epi32(reinterpret_cast<__m512i>(~column));
    const unsigned mask = _mm512_cmpge_epu32_mask(length, _mm512_loadu_si512(least + lane));
    if (mask == 0) return 0;
    _mm512_storeu_si512(lcs + lane, length);
    return std::uint64_t{mask} << lane;
  }

  static std::uint64_t reached64(V64 column, std::size_t lane, const std::uint32_t* least, std::uint32_t* lcs) {
    const __m256i length = _mm512_maskz_cvtepi64_epi32(0xff, _mm512_popcnt_epi64(reinterpret_cast<__m512i>(~column)));
    const __m256i wanted = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(least + lane));
    const unsigned mask = _mm256_cmpge_epu32_mask(length, wanted);
    if (mask == 0) return 0;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lcs + lane), length);
    return std::uint64_t{mask} << lane;
  }

  static std::size_t steps(const std::uint32_t* tokens, std::size_t count, const std::uint32_t* row_of,
                           std::uint32_t* out) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; i += 16) {
      const auto some = static_cast<__mmask16>(count - i >= 16 ? 0xffff : (1u << (count - i)) - 1);
      const __m512i token = _mm512_maskz_loadu_epi32(some, tokens + i);
      const __m512i row = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), some, token, row_of, 4);
      const __mmask16 known = _mm512_test_epi32_mask(row, row);
      _mm512_storeu_si512(out + kept, _mm512_maskz_compress_epi32(known, row));
      kept += static_cast<std::size_t>(__builtin_popcount(known));
    }
    return kept;
  }
};

}  // namespace

const RougeKernels kRougeAvx512 = RougeKernel<Avx512Ops>::table("avx512");

}  // namespace residue::index

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
