// Dense linking by definition: every cosine, sorted. What DenseIndex must equal bit for bit. Slow and obviously right.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"

namespace residue::index {

// Arguments and results as DenseIndex and its top(). Cost: every query looks at every row.
std::vector<std::vector<Hit>> dense_oracle(const Candidates& candidates, std::span<const CandidateId> ids,
                                           std::span<const float> values, std::size_t dimension,
                                           std::span<const float> queries, std::size_t k);

}  // namespace residue::index
