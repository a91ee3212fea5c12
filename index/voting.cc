#include "index/voting.h"

#include <algorithm>
#include <map>

#include "base/error.h"

namespace residue::index {
namespace {

bool may_vote(const Hit& hit, const Hit& best, VoteRule rule) {
  if (rule == VoteRule::kTop) return &hit == &best;
  return best.score > 0 ? hit.score >= kVotingNearness * best.score : hit.score == best.score;
}

}  // namespace

std::size_t voters(std::span<const Hit> claim, VoteRule rule) {
  const std::size_t deep = std::min(claim.size(), kVotingDepth);
  std::size_t count = 0;
  while (count < deep && may_vote(claim[count], claim.front(), rule)) ++count;  // Scores descend.
  return count;
}

std::vector<Vote> vote(std::span<const std::vector<Hit>> hits, const std::function<CandidateId(CandidateId)>& owner,
                       const Candidates& records, VoteRule rule) {
  std::map<std::uint32_t, std::uint32_t> votes;  // by rank
  for (const std::vector<Hit>& claim : hits) {
    for (const Hit& hit : std::span(claim).first(voters(claim, rule))) {
      const auto rank = records.rank(owner(hit.candidate));
      if (!rank) throw Error(Code::kInternal, "a claim votes for no record of the run", "please report this");
      ++votes[*rank];
    }
  }
  std::map<std::uint32_t, std::uint32_t> records_with;  // by number of votes
  for (const auto& [rank, count] : votes) ++records_with[count];
  std::vector<Vote> result;
  result.reserve(votes.size());
  for (const auto& [rank, count] : votes) result.push_back({records.id(rank), count, records_with[count] - 1});
  std::stable_sort(result.begin(), result.end(), [](const Vote& a, const Vote& b) { return a.votes > b.votes; });
  return result;
}

}  // namespace residue::index
