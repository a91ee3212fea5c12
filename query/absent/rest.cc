#include "query/absent/rest.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace residue::query {
namespace {

constexpr std::size_t kDeeper = 4;  // times as many hits of a claim as before

// Only hits of records that are not left out.
std::vector<index::Hit> without(const std::vector<index::Hit>& hits, std::span<const CandidateId> left_out,
                                const Votes& votes) {
  std::vector<index::Hit> rest;
  std::copy_if(hits.begin(), hits.end(), std::back_inserter(rest), [&](const index::Hit& hit) {
    return !std::binary_search(left_out.begin(), left_out.end(), votes.owner(hit.candidate));
  });
  return rest;
}

// Whether more hits of the claim could change who votes.
bool decided(std::span<const index::Hit> rest, index::VoteRule rule) {
  if (rule == index::VoteRule::kTop) return !rest.empty();
  return rest.size() >= index::kVotingDepth || index::voters(rest, rule) < rest.size();
}

// The hits of all claims, searched deeper where those at hand cannot tell who votes.
class Claims {
 public:
  Claims(std::span<const std::size_t> asked, std::vector<std::vector<index::Hit>>& hits, std::size_t depth,
         const Votes& votes, const SearchDeeper& search)
      : asked_(asked), hits_(hits), depths_(hits.size(), depth), votes_(votes), search_(search) {
    for (std::size_t j = 0; j < asked.size(); ++j) of_.insert(of_.end(), asked[j], j);
  }

  // All that are voted for, by record, where these candidates do not stand.
  std::vector<std::vector<index::Hit>> elect(const std::vector<std::vector<CandidateId>>& left_out) {
    std::vector<std::vector<index::Hit>> rest(hits_.size());
    std::vector<std::size_t> open(hits_.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
    while (true) {
      std::erase_if(open, [&](std::size_t claim) {
        rest[claim] = without(hits_[claim], left_out[of_[claim]], votes_);
        return hits_[claim].size() < depths_[claim] || decided(rest[claim], votes_.rule);
      });
      if (open.empty()) break;
      deepen(open);
    }
    std::vector<std::vector<index::Hit>> found;
    std::size_t at = 0;
    for (const std::size_t claims : asked_) {
      found.push_back(
          hits_of(index::vote(std::span(rest).subspan(at, claims), votes_.owner, votes_.voted, votes_.rule)));
      at += claims;
    }
    return found;
  }

 private:
  // Those whose hits are the fewest; an earlier election may have searched for the others.
  void deepen(std::span<const std::size_t> open) {
    std::size_t depth = depths_[open.front()];
    for (const std::size_t claim : open) depth = std::min(depth, depths_[claim]);
    depth *= kDeeper;
    std::vector<std::size_t> some;
    std::copy_if(open.begin(), open.end(), std::back_inserter(some),
                 [&](std::size_t claim) { return depths_[claim] < depth; });
    auto deeper = search_(some, depth);
    for (std::size_t i = 0; i < some.size(); ++i) {
      hits_[some[i]] = std::move(deeper[i]);
      depths_[some[i]] = depth;
    }
  }

  std::span<const std::size_t> asked_;
  std::vector<std::vector<index::Hit>>& hits_;
  std::vector<std::size_t> depths_, of_;  // by claim: how many hits were asked for; whose it is
  const Votes& votes_;
  const SearchDeeper& search_;
};

}  // namespace

std::vector<index::Hit> hits_of(std::span<const index::Vote> votes) {
  std::vector<index::Hit> hits;
  for (const index::Vote& vote : votes) hits.push_back({vote.record, static_cast<double>(vote.votes), vote.tied});
  return hits;
}

std::vector<RestOfVotes> rest_of_votes(std::span<const std::size_t> records, std::span<const std::size_t> asked,
                                       std::vector<std::vector<index::Hit>>& hits, std::size_t depth,
                                       const Absence& absence, const Votes& votes, const SearchDeeper& search) {
  Claims claims(asked, hits, depth, votes, search);
  std::vector<std::vector<CandidateId>> left_out;
  for (const std::size_t record : records) left_out.push_back(absence.left_out(record));
  std::vector<RestOfVotes> rest(records.size());
  auto voted = claims.elect(left_out);
  for (std::size_t j = 0; j < records.size(); ++j) {
    rest[j].voted = std::move(voted[j]);
    if (!rest[j].voted.empty())
      left_out[j] = absence.also_left_out(std::move(left_out[j]), rest[j].voted.front().candidate);
  }
  const auto without_second = claims.elect(left_out);
  for (std::size_t j = 0; j < records.size(); ++j) {
    if (!rest[j].voted.empty() && !without_second[j].empty()) rest[j].third = without_second[j].front();
  }
  return rest;
}

}  // namespace residue::query
