#include "index/voting.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"

namespace residue::index {
namespace {

// Claim-candidates 10..19 belong to record 1, 20..29 to record 2 ...; keys are in the opposite order of the ids.
CandidateId owner(CandidateId claim) { return {claim.value / 10}; }

Candidates records() {
  const std::vector<Candidate> all = {{{1}, "c"}, {{2}, "b"}, {{3}, "a"}};
  return Candidates(all);
}

std::vector<Hit> hits(const std::vector<std::pair<std::int64_t, double>>& list) {
  std::vector<Hit> result;
  for (const auto& [claim, score] : list) result.push_back({{claim}, score, 0});
  return result;
}

std::vector<Vote> votes(const std::vector<std::vector<Hit>>& lists, VoteRule rule) {
  return vote(lists, owner, records(), rule);
}

TEST(Voting, TheFirstHitOfEachClaimVotes) {
  EXPECT_EQ(votes({hits({{10, 9.0}, {20, 9.0}}), hits({{20, 3.0}}), {}, hits({{11, 1.0}})}, VoteRule::kTop),
            (std::vector<Vote>{{{1}, 2, 0}, {{2}, 1, 0}}));
}

TEST(Voting, EqualVotesGoToTheSmallestKey) {
  EXPECT_EQ(votes({hits({{10, 1.0}}), hits({{20, 5.0}}), hits({{30, 2.0}})}, VoteRule::kTop),
            (std::vector<Vote>{{{3}, 1, 2}, {{2}, 1, 2}, {{1}, 1, 2}}));
}

TEST(Voting, NearTheBestIsFromNineteenTwentiethsOn) {
  const double border = 0.95 * 0.8;
  EXPECT_EQ(votes({hits({{10, 0.8}, {20, border}, {21, border}, {30, border - 1e-16}})}, VoteRule::kNearBest),
            (std::vector<Vote>{{{2}, 2, 0}, {{1}, 1, 0}}));
}

TEST(Voting, WhereNothingIsAlikeOnlyTheBestVote) {
  EXPECT_EQ(votes({hits({{10, -0.5}, {20, -0.5}, {30, -0.51}})}, VoteRule::kNearBest),
            (std::vector<Vote>{{{2}, 1, 1}, {{1}, 1, 1}}));
  EXPECT_EQ(votes({hits({{10, 0.0}, {30, 0.0}, {20, -0.1}})}, VoteRule::kNearBest),
            (std::vector<Vote>{{{3}, 1, 1}, {{1}, 1, 1}}));
}

TEST(Voting, LooksAtAHundredHits) {
  std::vector<Hit> list;
  for (std::int64_t i = 0; i < 100; ++i) list.push_back({{10}, 1.0, 0});
  list.push_back({{20}, 1.0, 0});
  EXPECT_EQ(votes({list}, VoteRule::kNearBest), (std::vector<Vote>{{{1}, 100, 0}}));
}

TEST(Voting, NobodyVotesNobodyWins) {
  EXPECT_TRUE(votes({}, VoteRule::kTop).empty());
  EXPECT_TRUE(votes({{}, {}}, VoteRule::kNearBest).empty());
  EXPECT_THROW(votes({hits({{90, 1.0}})}, VoteRule::kTop), Error);
}

}  // namespace
}  // namespace residue::index
