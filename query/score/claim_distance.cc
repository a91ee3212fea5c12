#include "query/score/claim_distance.h"

#include <algorithm>
#include <numeric>

#include "index/dense/cosine.h"

namespace residue::query {

std::int64_t claim_distance(std::span<const float> claim, std::span<const float> others) {
  const std::size_t d = claim.size();
  const double own = index::dot(claim.data(), claim.data(), d);
  double greatest = 0;
  for (std::size_t at = 0; at < others.size(); at += d) {
    const float* other = others.data() + at;
    const double cosine = index::cosine(index::dot(claim.data(), other, d), own, index::dot(other, other, d));
    greatest = std::max(greatest, cosine);
  }
  return kOne - fixed(std::min(greatest, 1.0));
}

Contribution claim_distance_score(const RecordCase& record, std::size_t judged,
                                  const std::optional<std::vector<std::int64_t>>& distances) {
  Contribution c;
  c.metric = MetricId::kEmbeddingDistance;
  c.slice = outcome(record);
  if (record.empty_original || record.all_known || (judged == 0 && !record.no_claims)) return c;
  const auto lost = [&](State state) {
    c.state = state;
    c.den = 1;
    c.best = kOne;
    return c;
  };
  if (record.failed) return lost(State::kFailed);
  if (!record.has_claims) return lost(State::kMissing);
  if (record.linked && !distances) return lost(State::kMissing);
  const auto claims = static_cast<std::int64_t>(judged);
  c.state = State::kValue;
  c.den = 1;
  c.num = kOne;
  if (record.linked) {
    const std::int64_t sum = std::accumulate(distances->begin(), distances->end(), std::int64_t{0});
    c.num = (2 * sum + claims) / (2 * claims);
  }
  c.best = c.num;
  return c;
}

}  // namespace residue::query
