// What the ways of searching share: a query's terms, and exact scores on their way to hits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"

namespace residue::index {

struct NamedTerm {
  std::string term;
  std::uint32_t wqf = 0;
};
using NamedTerms = std::vector<NamedTerm>;  // distinct, in ascending byte order

struct Scored {
  std::uint32_t rank;
  double score;
};

inline bool better(const Scored& a, const Scored& b) {
  return a.score != b.score ? a.score > b.score : a.rank < b.rank;
}

// The best `k` of all candidates that share a term, and how many are tied with each. Reorders `all`.
std::vector<Hit> best_of(std::vector<Scored>& all, std::size_t k, const Candidates& candidates);

}  // namespace residue::index
