// One thread's work space of the BM25 kernel: takes a query through the blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/bm25_kernel/bm25_block.h"
#include "index/bm25_kernel/bm25_bounds.h"
#include "index/bm25_kernel/bm25_kernel.h"
#include "index/bm25_kernel/bm25_rows.h"
#include "index/top_list.h"

namespace residue::index {

class Bm25Search {
 public:
  // `facts` by term, of the same kernel as the blocks. Keeps references.
  Bm25Search(std::span<const TermFacts> facts, const RowOps& ops, std::size_t k) : all_(facts), ops_(ops), k_(k) {}

  // The best k of all blocks.
  std::vector<RankedHit> run(const KernelQuery& query, std::span<const Block> blocks);

 private:
  void look_up(const KernelQuery& query);
  // Every document's exact score.
  void score_all(const Block& block, TopList& best);
  // Bounds of a block's documents, then exact scores where they reach the threshold.
  void by_bounds(const Block& block, TopList& best);
  void add_lists(const Block& block);
  // Adds the rows where a document can reach `least` with them; elsewhere the maximum becomes 0.
  void add_rows(const Block& block, std::uint32_t least);
  // Adds the rows at `chunks_`.
  template <class RowAt>
  void add_groups(std::uint16_t* sums, const RowAt& row_at);
  // Scores the documents whose bound is at least `least`, each once.
  void verify(const Block& block, std::uint32_t least, TopList& best);
  // After adding rows: documents that were scored before stay out.
  void forget_shown();
  [[nodiscard]] std::uint32_t kth_largest_maximum(std::size_t chunks);
  [[nodiscard]] std::uint32_t needed(const TopList& best) const;

  std::span<const TermFacts> all_;
  const RowOps& ops_;
  std::size_t k_;

  // The query.
  std::vector<std::uint32_t> terms_;
  std::vector<double> weights_;
  std::vector<TermFacts> facts_;
  QueryTerms lookup_;
  QueryBounds bounds_;
  std::uint32_t hint_ = KernelQuery::kNoHint;  // already shown to the list

  // By document of the block; sums are zero between blocks.
  Aligned<std::uint16_t> sums_;
  std::vector<std::uint16_t> maxima_;  // by chunk
  std::vector<std::uint16_t> sorted_;
  std::vector<std::uint32_t> shown_;  // documents of this block that were scored
  std::vector<ImpactRow> rows_;
  std::vector<std::uint32_t> chunks_;  // first documents of those that need rows
  Aligned<std::uint16_t> from_rows_;   // by chunk: a bound for what rows add
  std::vector<Block::List> lists_;
};

}  // namespace residue::index
