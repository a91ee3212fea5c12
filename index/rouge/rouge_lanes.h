// Queries side by side, one per lane of a vector, against every text: nothing is left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/rouge/rouge_best.h"
#include "index/rouge/rouge_chunk.h"
#include "index/rouge/rouge_corpus.h"
#include "index/rouge/rouge_simd.h"

namespace residue::index {

// One query and what was found for it so far.
struct RougeSearch {
  RougeQuery query;
  RougeBest best;
};

// How a query lies in a lane. Queries of one block have one width.
enum class LaneWidth { k32, k64, kWords, kNone };

// By known tokens; kNone: so many that a block of them would not fit into memory well.
LaneWidth lane_width(const RougeQuery& query);

// For one thread; its scratch is reused from block to block. Memory: 4 bytes for each token of the vocabulary, and a
// row (256 or 512 bytes, or 64 for each 64 tokens of the longest query) for each distinct token of a block.
class RougeLanes {
 public:
  RougeLanes(const RougeCorpus& corpus, const RougeKernels& kernels, RougeScore score);

  // At most kLanes queries of one width (kWordLanes of kWords), which must stay until the next block.
  void load(std::span<RougeSearch* const> block);

  // Offers every text of [first, last) that can be among the best to the queries from `lane` on. Texts are read in
  // runs of at most kChunkTexts.
  void run(std::size_t first, std::size_t last, std::size_t lane);

 private:
  void clear();
  template <class Number>
  void set_bits();
  void run_chunk(std::size_t first, std::size_t last, std::size_t lane);
  std::uint64_t kernel(const LaneSteps& steps);
  void offer(std::uint64_t lanes, std::size_t text, std::uint32_t shortest);
  std::uint32_t least(const RougeSearch& search, std::uint32_t shortest) const;

  const RougeCorpus& corpus_;
  const RougeKernels& kernels_;
  RougeScore score_;
  std::vector<std::uint32_t> row_of_;  // by token; 0: no query of the block has it
  std::span<RougeSearch* const> block_;
  LaneWidth width_ = LaneWidth::k32;
  std::size_t words_ = 1;
  std::vector<std::uint32_t> tokens_;  // that have rows
  std::vector<RougeLine> rows_;
  std::vector<RougeLine> column_;
  std::vector<std::uint32_t> steps_;
  alignas(64) std::uint32_t least_[kLanes] = {};
  alignas(64) std::uint32_t lcs_[kLanes] = {};
};

}  // namespace residue::index
