// Products of single-precision vectors, a tile of queries by candidates at a time: the filter in front of exact
// cosines.
//
// Operands are packed in panels: `width` vectors side by side, element i of all of them together, so that panel[i *
// width
// + v] is element i of vector v. Panels of candidates start on 64 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "base/simd.h"

namespace residue::index {

inline constexpr std::size_t kPanelAlignment = 64;  // bytes

// Uninitialised floats on an alignment of a cache line.
struct PanelDelete {
  void operator()(float* floats) const { ::operator delete[](floats, std::align_val_t{kPanelAlignment}); }
};
using PanelFloats = std::unique_ptr<float[], PanelDelete>;
inline PanelFloats make_panels(std::size_t floats) {
  return PanelFloats(static_cast<float*>(::operator new[](floats * sizeof(float), std::align_val_t{kPanelAlignment})));
}

struct DenseKernel {
  Simd simd;
  std::size_t queries;     // width of a panel of queries, at most 32
  std::size_t candidates;  // width of a panel of candidates

  // Bit q of the result: query q has a product of at least floors[q] with one of the candidates. If any bit is set,
  // products[q * candidates + c] holds all of them. Sums may be fused and in any order: see dense_error().
  std::uint32_t (*multiply)(const float* queries, const float* candidates, std::size_t dimension, const float* floors,
                            float* products);
};

// Those that this CPU can run, the fastest last; the first is portable.
std::span<const DenseKernel> dense_kernels();

}  // namespace residue::index
