#include "query/absent/rest.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace residue::query {
namespace {

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

}  // namespace

std::vector<index::Hit> hits_of(std::span<const index::Vote> votes) {
  std::vector<index::Hit> hits;
  for (const index::Vote& vote : votes) hits.push_back({vote.record, static_cast<double>(vote.votes), vote.tied});
  return hits;
}

std::vector<std::vector<index::Hit>> rest_of_votes(std::span<const std::size_t> records,
                                                   std::span<const std::size_t> asked,
                                                   std::vector<std::vector<index::Hit>>& hits, std::size_t depth,
                                                   const Absence& absence, const Votes& votes,
                                                   const SearchDeeper& search) {
  std::vector<std::vector<CandidateId>> left_out;
  std::vector<std::size_t> of;  // by claim: whose it is, as a place in `records`
  for (std::size_t j = 0; j < records.size(); ++j) {
    left_out.push_back(absence.left_out(records[j]));
    of.insert(of.end(), asked[j], j);
  }
  std::vector<std::vector<index::Hit>> rest(hits.size());
  std::vector<std::size_t> open(hits.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  while (true) {
    std::erase_if(open, [&](std::size_t claim) {
      rest[claim] = without(hits[claim], left_out[of[claim]], votes);
      return hits[claim].size() < depth || decided(rest[claim], votes.rule);
    });
    if (open.empty()) break;
    depth *= 4;
    auto deeper = search(open, depth);
    for (std::size_t i = 0; i < open.size(); ++i) hits[open[i]] = std::move(deeper[i]);
  }
  std::vector<std::vector<index::Hit>> found;
  std::size_t at = 0;
  for (const std::size_t claims : asked) {
    found.push_back(hits_of(index::vote(std::span(rest).subspan(at, claims), votes.owner, votes.voted, votes.rule)));
    at += claims;
  }
  return found;
}

}  // namespace residue::query
