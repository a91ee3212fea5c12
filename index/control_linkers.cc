#include "index/control_linkers.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace residue::index {
namespace {

// Records and candidates are hashed in domains of their own: in one domain every record would find itself.
constexpr std::uint64_t kRecordDomain = 1;
constexpr std::uint64_t kCandidateDomain = 2;

}  // namespace

OracleLinker::OracleLinker(CandidateTable candidates) : candidates_(std::move(candidates)) {}

std::vector<std::vector<Hit>> OracleLinker::top(std::span<const Query> queries, std::size_t k) const {
  std::vector<std::vector<Hit>> result(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (k > 0 && candidates_->rank(queries[i].own)) result[i].push_back({queries[i].own, 1.0, 0});
  }
  return result;
}

RandomLinker::RandomLinker(CandidateTable candidates, std::uint64_t seed)
    : candidates_(std::move(candidates)), seed_(seed) {
  ring_.reserve(candidates_->size());
  for (std::uint32_t rank = 0; rank < candidates_->size(); ++rank) {
    ring_.push_back({hash_of(seed_, candidates_->key(rank), kCandidateDomain), rank});
  }
  std::sort(ring_.begin(), ring_.end());
}

std::vector<std::vector<Hit>> RandomLinker::top(std::span<const Query> queries, std::size_t k) const {
  std::vector<std::vector<Hit>> result(queries.size());
  const std::size_t count = std::min(k, ring_.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const Place start{hash_of(seed_, queries[i].record_key, kRecordDomain), 0};
    auto next = std::lower_bound(ring_.begin(), ring_.end(), start);
    for (std::size_t n = 0; n < count; ++n, ++next) {
      if (next == ring_.end()) next = ring_.begin();
      result[i].push_back({candidates_->id(next->rank), 1.0 / static_cast<double>(n + 1), 0});
    }
  }
  return result;
}

}  // namespace residue::index
