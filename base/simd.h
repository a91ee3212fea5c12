// Which vector instructions a kernel uses. Every variant gives the same bytes.
#pragma once

#include <vector>

namespace residue {

enum class Simd { kPortable, kAvx2, kAvx512 };  // kAvx512: F and BW

// Those that this machine can run, slowest first; the first is always kPortable.
inline std::vector<Simd> supported_simd() {
  std::vector<Simd> variants = {Simd::kPortable};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) variants.push_back(Simd::kAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) variants.push_back(Simd::kAvx512);
#endif
  return variants;
}

inline Simd best_simd() { return supported_simd().back(); }

inline const char* name_of(Simd simd) {
  return simd == Simd::kAvx512 ? "avx512" : simd == Simd::kAvx2 ? "avx2" : "portable";
}

}  // namespace residue
