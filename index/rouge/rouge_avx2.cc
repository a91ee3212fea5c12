// The kernels for AVX2.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "index/rouge/rouge_simd_table.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,popcnt")
#endif

#include "index/rouge/rouge_kernels.h"

namespace residue::index {
namespace {

struct Avx2Ops {
  typedef std::uint32_t V32 __attribute__((vector_size(32)));
  typedef std::uint64_t V64 __attribute__((vector_size(32)));
  static constexpr std::size_t kPairInLanes = 6;
  static constexpr std::size_t kVectors32 = 8;
  static constexpr std::size_t kVectors64 = 8;

  static V64 xor3(V64 a, V64 b, V64 c) { return a ^ b ^ c; }
  static V64 majority(V64 a, V64 b, V64 c) { return (a & b) | (c & (a ^ b)); }
  static V64 or3(V64 a, V64 b, V64 c) { return a | b | c; }
  static V64 andnot(V64 a, V64 b) { return a & ~b; }
  template <class V>
  static V or_andnot(V a, V b, V c) {
    return a | (b & ~c);
  }
  static V64 and_xor(V64 a, V64 b, V64 c) { return a & (b ^ c); }

  // W. Mula, N. Kurz, D. Lemire, "Faster population counts using AVX2 instructions", 2018: halves of bytes by table.
  static __m256i bytes(__m256i bits) {
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                           2, 3, 2, 3, 3, 4);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(bits, low)),
                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bits, 4), low)));
  }

  static std::uint64_t reached32(V32 column, std::size_t lane, const std::uint32_t* least, std::uint32_t* lcs) {
    const __m256i pairs = _mm256_maddubs_epi16(bytes(reinterpret_cast<__m256i>(~column)), _mm256_set1_epi8(1));
    const __m256i length = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    const __m256i wanted = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(least + lane));
    const auto below =
        static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(_mm256_cmpgt_epi32(wanted, length))));
    if (below == 0xff) return 0;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(lcs + lane), length);
    return std::uint64_t{~below & 0xff} << lane;
  }

  static std::uint64_t reached64(V64 column, std::size_t lane, const std::uint32_t* least, std::uint32_t* lcs) {
    const __m256i sums = _mm256_sad_epu8(bytes(reinterpret_cast<__m256i>(~column)), _mm256_setzero_si256());
    const __m256i packed = _mm256_permutevar8x32_epi32(sums, _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7));
    const __m128i length = _mm256_castsi256_si128(packed);
    const __m128i wanted = _mm_loadu_si128(reinterpret_cast<const __m128i*>(least + lane));
    const auto below =
        static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(_mm_cmpgt_epi32(wanted, length))));
    if (below == 0xf) return 0;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(lcs + lane), length);
    return std::uint64_t{~below & 0xf} << lane;
  }

  static std::size_t steps(const std::uint32_t* tokens, std::size_t count, const std::uint32_t* row_of,
                           std::uint32_t* out) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      out[kept] = row_of[tokens[i]];
      kept += out[kept] != 0;
    }
    return kept;
  }
};

}  // namespace

const RougeKernels kRougeAvx2 = RougeKernel<Avx2Ops>::table("avx2");

}  // namespace residue::index

#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
