// The kernels for any machine: vectors of 128 bits, which every compiler knows how to make from what there is.
#include <cstdint>

#include "index/rouge/rouge_kernels.h"
#include "index/rouge/rouge_simd_table.h"

namespace residue::index {
namespace {

struct PortableOps {
  typedef std::uint32_t V32 __attribute__((vector_size(16)));
  typedef std::uint64_t V64 __attribute__((vector_size(16)));
  static constexpr std::size_t kPairInLanes = 3;
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

  static std::uint64_t reached32(V32 column, std::size_t lane, const std::uint32_t* least, std::uint32_t* lcs) {
    return reached<4>(column, lane, least, lcs);
  }
  static std::uint64_t reached64(V64 column, std::size_t lane, const std::uint32_t* least, std::uint32_t* lcs) {
    return reached<2>(column, lane, least, lcs);
  }
  template <std::size_t kPer, class V>
  static std::uint64_t reached(V column, std::size_t lane, const std::uint32_t* least, std::uint32_t* lcs) {
    const V grown = ~column;
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < kPer; ++i) {
      lcs[lane + i] = static_cast<std::uint32_t>(__builtin_popcountll(grown[i]));
      result |= std::uint64_t{lcs[lane + i] >= least[lane + i]} << (lane + i);
    }
    return result;
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

const RougeKernels kRougePortable = RougeKernel<PortableOps>::table("portable");

}  // namespace residue::index
