// The bootstrap's inner loop over its replicates, for each kind of vector instructions. All give the same integers.
#pragma once

#include <cstdint>
#include <span>

#include "base/simd.h"
#include "numbers/stats/bootstrap.h"

namespace residue::numbers {

struct BootstrapKernels {
  void (*add)(const Weights& weights, std::int64_t value, std::span<std::int64_t, kReplicates> sums);  // add_weighted
};

// The variant must be one of supported_simd().
const BootstrapKernels& bootstrap_kernels(Simd simd);

}  // namespace residue::numbers
