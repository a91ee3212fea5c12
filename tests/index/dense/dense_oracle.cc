#include "tests/index/dense/dense_oracle.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "index/dense/cosine.h"

namespace residue::index {

std::vector<std::vector<Hit>> dense_oracle(const Candidates& candidates, std::span<const CandidateId> ids,
                                           std::span<const float> values, std::size_t dimension,
                                           std::span<const float> queries, std::size_t k) {
  std::vector<std::vector<Hit>> result;
  for (const float* query = queries.data(); query != queries.data() + queries.size(); query += dimension) {
    const double norm = dot(query, query, dimension);
    std::vector<Hit> hits;
    for (std::size_t i = 0; norm > 0 && i < ids.size(); ++i) {
      const float* row = values.data() + i * dimension;
      const double row_norm = dot(row, row, dimension);
      if (row_norm > 0) hits.push_back({ids[i], cosine(dot(query, row, dimension), norm, row_norm), 0});
    }
    std::sort(hits.begin(), hits.end(), [&](const Hit& a, const Hit& b) {
      return a.score != b.score ? a.score > b.score : *candidates.rank(a.candidate) < *candidates.rank(b.candidate);
    });
    for (std::size_t begin = 0, end = 0; begin < hits.size(); begin = end) {
      while (end < hits.size() && hits[end].score == hits[begin].score) ++end;
      for (std::size_t i = begin; i < end; ++i) hits[i].tied = static_cast<std::uint32_t>(end - begin - 1);
    }
    hits.resize(std::min(k, hits.size()));
    result.push_back(std::move(hits));
  }
  return result;
}

}  // namespace residue::index
