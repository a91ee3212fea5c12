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

std::vector<RandomLinker::OnRing>::const_iterator RandomLinker::first_for(const Query& query) const {
  return std::lower_bound(ring_.begin(), ring_.end(), OnRing{hash_of(seed_, query.record_key, kRecordDomain), 0});
}

std::vector<std::vector<Hit>> RandomLinker::top(std::span<const Query> queries, std::size_t k) const {
  std::vector<std::vector<Hit>> result(queries.size());
  const std::size_t count = std::min(k, ring_.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    auto next = first_for(queries[i]);
    for (std::size_t n = 0; n < count; ++n, ++next) {
      if (next == ring_.end()) next = ring_.begin();
      result[i].push_back({candidates_->id(next->rank), 1.0 / static_cast<double>(n + 1), 0});
    }
  }
  return result;
}

// All scores differ: as many are ahead as stand on the ring before the own one.
std::vector<std::optional<Place>> RandomLinker::places(std::span<const Query> queries, std::size_t candidates) const {
  std::vector<std::optional<Place>> result(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const auto rank = candidates_->rank(queries[i].own);
    if (!rank) continue;
    const OnRing own{hash_of(seed_, candidates_->key(*rank), kCandidateDomain), *rank};
    const auto at = std::lower_bound(ring_.begin(), ring_.end(), own);
    const auto steps = at - first_for(queries[i]);
    result[i] = {static_cast<std::uint32_t>(steps < 0 ? steps + static_cast<std::ptrdiff_t>(candidates) : steps), 0};
  }
  return result;
}

}  // namespace residue::index
