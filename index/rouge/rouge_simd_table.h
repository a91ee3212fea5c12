// The tables of kernels, one from each source; rouge_simd.cc picks.
#pragma once

#include "index/rouge/rouge_simd.h"

namespace residue::index {

extern const RougeKernels kRougePortable;
#if defined(__x86_64__)
extern const RougeKernels kRougeAvx2;
extern const RougeKernels kRougeAvx512;
#endif

}  // namespace residue::index
