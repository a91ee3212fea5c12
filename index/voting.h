// Voting: each auxiliary claim finds claims of the sanitized records, and these vote for the records they belong to.
//
//   hits of each claim ── who may vote ──> votes for records ── most votes, smallest key ──> ranked records
//
// The linkers `bm25-vote` and `dense-vote` (FSP D.1). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/candidates.h"
#include "index/linker.h"

namespace residue::index {

inline constexpr std::size_t kVotingDepth = 100;  // hits of a claim that are looked at
inline constexpr double kVotingNearness = 0.95;   // of the claim's best score

enum class VoteRule {
  kTop,       // bm25-vote: a claim's first hit
  kNearBest,  // dense-vote: every hit, among the first kVotingDepth, with score >= 0.95 * best; where the best score is
              // not positive, those that have exactly the best score
};

// How many of a claim's hits, the first ones, may vote.
std::size_t voters(std::span<const Hit> claim, VoteRule rule);

// One record, most votes first, equal votes in byte order of the keys.
struct Vote {
  CandidateId record;
  std::uint32_t votes = 0;
  std::uint32_t tied = 0;  // other records with as many votes

  friend bool operator==(const Vote&, const Vote&) = default;
};

// What all claims of one auxiliary set together point at; empty if none has a hit. `hits`: one list for each claim, as
// Linker::top gives them. `owner` tells the record of a hit's candidate; `records` ranks records by key. Every hit that
// may vote counts once, also several of one claim for one record. Throws Error{internal} for an owner not in `records`.
std::vector<Vote> vote(std::span<const std::vector<Hit>> hits, const std::function<CandidateId(CandidateId)>& owner,
                       const Candidates& records, VoteRule rule);

}  // namespace residue::index
