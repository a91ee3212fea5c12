#include "index/relinker.h"

#include <algorithm>

namespace residue::index {

Standing standing_of(std::span<const Hit> hits, CandidateId own, std::size_t k) {
  Standing standing;
  const bool right = own.value == 0 || hits.empty() || hits.front().candidate == own;
  const std::size_t kept = std::min(hits.size(), right ? kKeptIfRight : k);
  for (const Hit& hit : hits.first(kept)) standing.best.push_back(hit.candidate);
  if (kept < hits.size()) {
    standing.rest = hits[kept].score;
  } else {
    standing.rest = hits.size() < k ? 0 : hits.back().score;
  }
  return standing;
}

}  // namespace residue::index
