#include "numbers/stats/bootstrap_kernels.h"

#include <array>
#include <bit>

namespace residue::numbers {
namespace {

// Plain loops of fixed length, which the compiler makes vectors of.
[[gnu::always_inline]] inline void add_in(const Weights& weights, std::int64_t value,
                                          std::span<std::int64_t, kReplicates> sums) {
  const auto factor = static_cast<std::uint64_t>(value);
  // Ones, in either unit: most of what is counted.
  if (std::has_single_bit(factor)) {
    const int shift = std::countr_zero(factor);
    for (std::size_t b = 0; b < kReplicates; ++b) {
      sums[b] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[b]) + (std::uint64_t{weights[b]} << shift));
    }
    return;
  }
  for (std::size_t b = 0; b < kReplicates; ++b) {
    sums[b] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[b]) + weights[b] * factor);
  }
}

using Sums = std::span<std::int64_t, kReplicates>;

void add_portable(const Weights& weights, std::int64_t value, Sums sums) { add_in(weights, value, sums); }

constexpr BootstrapKernels kPortable = {add_portable};

#if defined(__x86_64__)

[[gnu::target("avx2")]] void add_avx2(const Weights& weights, std::int64_t value, Sums sums) {
  add_in(weights, value, sums);
}
[[gnu::target("avx512f,avx512bw,avx512dq")]] void add_avx512(const Weights& weights, std::int64_t value, Sums sums) {
  add_in(weights, value, sums);
}

constexpr BootstrapKernels kAvx2 = {add_avx2};
constexpr BootstrapKernels kAvx512 = {add_avx512};

#endif

}  // namespace

const BootstrapKernels& bootstrap_kernels(Simd simd) {
#if defined(__x86_64__)
  if (simd == Simd::kAvx512 && __builtin_cpu_supports("avx512dq")) return kAvx512;
  if (simd != Simd::kPortable) return kAvx2;
#endif
  static_cast<void>(simd);
  return kPortable;
}

}  // namespace residue::numbers
