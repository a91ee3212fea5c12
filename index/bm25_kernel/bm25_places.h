// Where documents stand among all: every score of a query, exactly, added up from the postings of its terms.
//
//   documents' terms ── by term ──> exact saturations ──> sums in ascending order of the terms ──> more, as much, less
//
// Sums are those of bm25.h to the last bit: what is ahead of a document, and what is level with it, is no rounding.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/bm25_kernel/bm25_block.h"
#include "index/linker.h"

namespace residue::index {

// The postings of a block by term, with saturations as they are.
class ExactPostings {
 public:
  // `norms` by rank; `terms`: how many there are. Cost: two passes over the block's postings.
  ExactPostings(const Block& block, std::span<const double> norms, std::size_t terms);

  // sums[document] += weight * saturation, for the documents of the block that have the term.
  void add(std::uint32_t term, double weight, double* sums) const;

 private:
  std::vector<std::uint32_t> begin_;  // by term, and one more
  std::vector<std::uint16_t> documents_;
  std::vector<double> saturations_;
};

// Adds the scores that are more than `score` to `place.ahead`, those that equal it to `place.level`.
void count_scores(std::span<const double> sums, double score, Place& place);

}  // namespace residue::index
