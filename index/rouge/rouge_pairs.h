// One query against some of the texts: those that the bounds leave over, and those that are tried first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/rouge/rouge_chunk.h"
#include "index/rouge/rouge_corpus.h"
#include "index/rouge/rouge_lanes.h"
#include "index/rouge/rouge_simd.h"

namespace residue::index {

// For one thread. Memory: 8 bytes for each token of the vocabulary and one for each text.
class RougePairs {
 public:
  RougePairs(const RougeCorpus& corpus, const RougeKernels& kernels, RougeScore score);

  // Raises the query's threshold: scores texts that share many rare tokens with it. At most kMaxCounted known tokens.
  void expect(RougeSearch& search, std::size_t k);

  // Offers every text of the chunk that can be among the best. The bounds' survivors are counted and returned.
  std::size_t run(const RougeChunk& chunk, RougeSearch& search);

 private:
  void set(const RougeQuery& query);
  void clear(const RougeQuery& query);
  void lcs(std::span<const std::uint32_t> texts, std::uint32_t* lengths) const;
  void offer(std::size_t first, const RougeLine& texts, RougeSearch& search);
  void offer_exact(std::size_t first, RougeSearch& search);

  const RougeCorpus& corpus_;
  const RougeKernels& kernels_;
  RougeScore score_;
  std::vector<std::uint64_t> masks_;  // by token; zero between queries
  std::vector<std::uint8_t> shared_;  // by text; zero between queries
  std::vector<std::uint32_t> found_;
  ChunkQuery bounds_;
  RougeLine survivors_;
  RougeLine beyond_;
};

}  // namespace residue::index
