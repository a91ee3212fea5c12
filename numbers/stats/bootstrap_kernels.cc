#include "numbers/stats/bootstrap_kernels.h"

#include <array>
#include <bit>

#include "base/hash.h"

namespace residue::numbers {
namespace {

// P(Poisson(1) <= k) * 2^32, rounded: a 32-bit draw u has weight = number of thresholds <= u.
// exp(-1) * (1, 2, 2.5, 2.6667, 2.70833, 2.71667, 2.71806, 2.71825, 2.71828, 2.718282, 2.7182818)
constexpr std::array<std::uint32_t, 11> kThresholds = {1580030169U, 3160060337U, 3950075422U, 4213413783U,
                                                       4279248374U, 4292415292U, 4294609778U, 4294923276U,
                                                       4294962463U, 4294966817U, 4294967253U};

// Vector instructions compare signed numbers: an order of unsigned ones is that of both less 2^31.
constexpr std::uint32_t kHalf = 0x80000000U;
constexpr std::int32_t as_signed(std::uint32_t value) { return static_cast<std::int32_t>(value - kHalf); }

// Plain loops of fixed length, which the compiler makes vectors of.
[[gnu::always_inline]] inline void draw_in(std::uint64_t unit, Weights& weights) {
  std::array<std::int32_t, kReplicates> draws;
  std::array<std::int32_t, kReplicates> counts{};
  for (std::size_t i = 0; i < kReplicates / 2; ++i) {
    const std::uint64_t bits = mix(unit + i * 0x9e3779b97f4a7c15ULL);
    draws[2 * i] = as_signed(static_cast<std::uint32_t>(bits));
    draws[2 * i + 1] = as_signed(static_cast<std::uint32_t>(bits >> 32U));
  }
  for (const std::uint32_t threshold : kThresholds) {
    const std::int32_t below = as_signed(threshold - 1);
    for (std::size_t b = 0; b < kReplicates; ++b) counts[b] += draws[b] > below ? 1 : 0;
  }
  for (std::size_t b = 0; b < kReplicates; ++b) weights[b] = static_cast<std::uint8_t>(counts[b]);
}

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

void draw_portable(std::uint64_t unit, Weights& weights) { draw_in(unit, weights); }
void add_portable(const Weights& weights, std::int64_t value, Sums sums) { add_in(weights, value, sums); }

constexpr BootstrapKernels kPortable = {draw_portable, add_portable};

#if defined(__x86_64__)

[[gnu::target("avx2")]] void draw_avx2(std::uint64_t unit, Weights& weights) { draw_in(unit, weights); }
[[gnu::target("avx2")]] void add_avx2(const Weights& weights, std::int64_t value, Sums sums) {
  add_in(weights, value, sums);
}
[[gnu::target("avx512f,avx512bw,avx512dq")]] void draw_avx512(std::uint64_t unit, Weights& weights) {
  draw_in(unit, weights);
}
[[gnu::target("avx512f,avx512bw,avx512dq")]] void add_avx512(const Weights& weights, std::int64_t value, Sums sums) {
  add_in(weights, value, sums);
}

constexpr BootstrapKernels kAvx2 = {draw_avx2, add_avx2};
constexpr BootstrapKernels kAvx512 = {draw_avx512, add_avx512};

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
