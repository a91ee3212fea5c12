#include "index/rouge/rouge_simd.h"

#include "base/error.h"
#include "index/rouge/rouge_simd_table.h"

namespace residue::index {

bool can_run(RougeSimd simd) {
  switch (simd) {
#if defined(__x86_64__)
    case RougeSimd::kAvx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    case RougeSimd::kAvx512:
      return can_run(RougeSimd::kAvx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512vpopcntdq");
#else
    case RougeSimd::kAvx2:
    case RougeSimd::kAvx512:
      return false;
#endif
    default:
      return true;
  }
}

const RougeKernels& rouge_kernels(RougeSimd simd) {
  if (!can_run(simd))
    throw Error(Code::kUsage, "this machine lacks the instruction set asked for", "use the automatic choice");
#if defined(__x86_64__)
  if (simd == RougeSimd::kAvx512 || (simd == RougeSimd::kAutomatic && can_run(RougeSimd::kAvx512))) return kRougeAvx512;
  if (simd == RougeSimd::kAvx2 || (simd == RougeSimd::kAutomatic && can_run(RougeSimd::kAvx2))) return kRougeAvx2;
#endif
  return kRougePortable;
}

}  // namespace residue::index
