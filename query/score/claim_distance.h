// How far a record's claims are from those of the sanitized record that was found, by their vectors: pure functions
// (FSP D.4).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/metric/contribution.h"
#include "query/score/scores.h"

namespace residue::query {

// 1 - the greatest cosine of a claim with any of the others, in units of 2^-32: between 0 and 1, claims that point away
// are no farther than unrelated ones. Vectors are not all zeros; `others` holds at least one, one after the other. The
// same bits on every machine (index/cosine.h).
std::int64_t claim_distance(std::span<const float> claim, std::span<const float> others);

// embedding_distance of one record: the mean of its claims' distances, halves up. `judged` is the number of claims
// outside A(x); `distances` is theirs, nothing where some vector or all claims of the text found are missing. Where
// nothing is linked they are not looked at.
Contribution claim_distance_score(const RecordCase& record, std::size_t judged,
                                  const std::optional<std::vector<std::int64_t>>& distances);

}  // namespace residue::query
