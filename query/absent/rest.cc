#include "query/absent/rest.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "index/rest.h"

namespace residue::query {
namespace {

// Searches that are about as deep are made together.
constexpr std::size_t kDeeperAtOnce = 2;

struct Open {
  std::size_t place = 0;  // in `records`
  std::size_t needs = 0;
};

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

std::vector<std::optional<index::Hit>> rest_of(std::span<const std::size_t> records,
                                               std::span<const std::vector<index::Hit>> hits, std::size_t depth,
                                               const Absence& absence, const SearchDeeper& search) {
  std::vector<std::optional<index::Hit>> found(records.size());
  std::vector<Open> open;
  const auto decide = [&](std::size_t place, std::span<const index::Hit> best, std::size_t deep) {
    const index::Rest rest = index::best_of_rest(best, deep, absence.left_out(records[place]));
    found[place] = rest.best;
    if (rest.needs > 0) open.push_back({place, rest.needs});
  };
  for (std::size_t j = 0; j < records.size(); ++j) decide(j, hits[j], depth);
  while (!open.empty()) {
    std::sort(open.begin(), open.end(), [](const Open& a, const Open& b) { return a.needs < b.needs; });
    const auto end = std::find_if(open.begin(), open.end(),
                                  [&](const Open& one) { return one.needs > kDeeperAtOnce * open.front().needs; });
    const std::vector<Open> now(open.begin(), end);
    open.erase(open.begin(), end);
    std::vector<std::size_t> some;
    for (const Open& one : now) some.push_back(records[one.place]);
    const auto deeper = search(some, now.back().needs);
    // It may turn out only now how many are tied.
    for (std::size_t i = 0; i < now.size(); ++i) decide(now[i].place, deeper[i], now.back().needs);
  }
  return found;
}

std::vector<std::optional<index::Hit>> rest_of_votes(std::span<const std::size_t> records,
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
  std::vector<std::optional<index::Hit>> found;
  std::size_t at = 0;
  for (const std::size_t claims : asked) {
    const auto elected = index::vote(std::span(rest).subspan(at, claims), votes.owner, votes.voted, votes.rule);
    at += claims;
    found.emplace_back();
    if (elected.empty()) continue;
    const index::Vote& first = elected.front();
    found.back() = index::Hit{first.record, static_cast<double>(first.votes), first.tied};
  }
  return found;
}

}  // namespace residue::query
