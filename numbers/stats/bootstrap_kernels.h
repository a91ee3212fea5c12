// The loops of the bootstrap over its replicates, for each kind of vector instructions. All give the same integers.
#pragma once

#include <cstdint>
#include <span>

#include "index/simd.h"
#include "query/bootstrap.h"

namespace residue::query {

struct BootstrapKernels {
  void (*draw)(std::uint64_t unit, Weights& weights);                                                  // draw_weights
  void (*add)(const Weights& weights, std::int64_t value, std::span<std::int64_t, kReplicates> sums);  // add_weighted
};

// The variant must be one of index::supported_simd().
const BootstrapKernels& bootstrap_kernels(index::Simd simd);

}  // namespace residue::query
