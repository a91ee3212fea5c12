// Dense linking: exact cosine of every query with every candidate, and the best k of them.
//
//   queries ─┐
//            ├─ single-precision products, tile by tile ──> those that can be among the best ──> double cosines ──>
//            hits
//   vectors ─┘   (dense_kernel.h, error bounded)                                                  (cosine.h)
//
// The linker `dense`. The products only rule out; what is told, order and ties included, comes from the
// cosines, so it is the same bytes on any CPU, thread count and block size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/candidates.h"
#include "index/dense/dense_kernel.h"
#include "index/linker.h"

namespace residue::index {

inline constexpr std::size_t kMaxDimension = 65'536;

// How far a product of the kernels, of vectors scaled to norm 1 in single precision, can be from the cosine: a proven
// bound. With u = 2^-24, a sum of n products in any order, fused or not, errs by at most n u / (1 - n u) times the sum
// of the absolute products (Higham, Accuracy and Stability, section 3.1), which is at most |a| |b|; scaling moves each
// element by u. 4 u and the percent cover second-order terms, underflow and the double cosine's own rounding.
double dense_error(std::size_t dimension);

class DenseIndex {
 public:
  // Row i of `values` (ids.size() rows of `dimension` floats) is the vector of ids[i]. A row of zeros, and a candidate
  // that is not listed, has no vector and is never a hit. Throws Error{internal} for shapes that do not fit, an id that
  // is unknown or occurs twice, and values that are not finite: ingest refuses them. Copies; memory: 8 bytes for each
  // value of the different vectors. `kernel` is for tests; nothing: the fastest.
  DenseIndex(CandidateTable candidates, std::span<const CandidateId> ids, std::span<const float> values,
             std::size_t dimension, const DenseKernel* kernel = nullptr);

  // The best `k` for each row of `queries` (`dimension` floats each), in order; for a row of zeros none. Hit::score is
  // the cosine, also where it is negative; order and ties as Linker::top. Parallel over the queries, in the caller's
  // TBB arena. Equal vectors are compared once, however many candidates have them. Throws Error{internal} as above.
  [[nodiscard]] std::vector<std::vector<Hit>> top(std::span<const float> queries, std::size_t k) const;

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t candidates() const { return ranks_.size(); }  // that have a vector
  [[nodiscard]] std::size_t different() const { return norms_.size(); }   // different vectors

 private:
  struct Block;
  void gather(std::span<const CandidateId> ids, std::span<const float> values);
  void pack();
  void search(std::span<const float> queries, std::size_t k, std::span<std::vector<Hit>> hits) const;
  void expand(Block& block, std::size_t query, std::size_t k, std::vector<Hit>& hits) const;

  CandidateTable candidates_;
  std::size_t dimension_;
  const DenseKernel* kernel_;
  // Of the different vectors, in order of the smallest rank that has them:
  std::vector<float> values_;
  std::vector<double> norms_;         // v·v
  std::vector<std::uint32_t> first_;  // where their ranks begin in ranks_, and one more
  std::vector<std::uint32_t> ranks_;  // ascending within a vector
  PanelFloats panels_;                // scaled to norm 1
};

}  // namespace residue::index
