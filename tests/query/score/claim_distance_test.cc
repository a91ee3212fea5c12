#include "query/score/claim_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.h"

namespace residue::query {
namespace {

RecordCase linked() {
  RecordCase record;
  record.has_claims = record.attacked = record.linked = true;
  return record;
}
double value(const Contribution& c) { return static_cast<double>(c.num) / static_cast<double>(kOne); }

// Worked by hand.
TEST(ClaimDistance, IsThatOfTheWorkedExample) {
  const std::array<float, 4> found = {0.8F, 0.6F, 0, 1};
  const std::array<float, 2> first = {1, 0}, second = {0.6F, 0.8F};
  EXPECT_NEAR(static_cast<double>(claim_distance(first, found)) / static_cast<double>(kOne), 0.2, 1e-7);
  EXPECT_NEAR(static_cast<double>(claim_distance(second, found)) / static_cast<double>(kOne), 0.04, 1e-7);
  const Contribution c =
      claim_distance_score(linked(), 2, std::vector{claim_distance(first, found), claim_distance(second, found)});
  EXPECT_EQ(c.state, State::kValue);
  EXPECT_NEAR(value(c), 0.12, 1e-7);
}

TEST(ClaimDistance, IsBetweenZeroAndOne) {
  const std::array<float, 2> claim = {0.1F, 0.7F}, longer = {0.3F, 2.1F}, away = {-1, 0};
  EXPECT_EQ(claim_distance(claim, claim), 0);
  EXPECT_LE(claim_distance(claim, longer), 1 << 9);  // the same direction, but for the roundings of 0.1 and 0.3
  EXPECT_EQ(claim_distance(claim, away), kOne);
}

// The definition, in other words: the smallest of the distances to each.
TEST(ClaimDistance, IsTheSmallestOfTheDistancesToEach) {
  std::uint64_t state = 1;
  const auto draw = [&] { return static_cast<float>(mix(++state) % 2001) / 1000 - 1; };
  for (int round = 0; round < 200; ++round) {
    std::vector<float> claim(7), others(7 * 5);
    for (float& x : claim) x = draw();
    for (float& x : others) x = draw();
    std::int64_t least = kOne;
    for (std::size_t i = 0; i < 5; ++i) {
      least = std::min(least, claim_distance(claim, std::span(others).subspan(i * 7, 7)));
    }
    EXPECT_EQ(claim_distance(claim, others), least);
  }
}

TEST(ClaimDistance, NeverTakesWhatIsLostForPrivate) {
  const std::vector<std::int64_t> far(1, kOne);
  RecordCase record = linked();
  record.linked = false;
  EXPECT_EQ(claim_distance_score(record, 1, std::nullopt).num, kOne);  // nothing was found, nothing learnt
  EXPECT_EQ(claim_distance_score(record, 1, std::nullopt).slice, Outcome::kNotLinked);
  const auto expect_lost = [](const Contribution& c, State state) {
    EXPECT_EQ(c.state, state);
    EXPECT_EQ(c.num, 0);
    EXPECT_EQ(c.best, kOne);
    EXPECT_EQ(c.den, 1);
  };
  expect_lost(claim_distance_score(linked(), 1, std::nullopt), State::kMissing);
  record = linked();
  record.failed = true;
  expect_lost(claim_distance_score(record, 1, far), State::kFailed);
  record = {};
  record.no_claims = true;
  expect_lost(claim_distance_score(record, 0, std::nullopt), State::kMissing);
  record.empty_original = true;
  EXPECT_EQ(claim_distance_score(record, 0, std::nullopt).state, State::kNotApplicable);
  EXPECT_EQ(claim_distance_score(linked(), 0, std::vector<std::int64_t>()).state, State::kNotApplicable);
}

}  // namespace
}  // namespace residue::query
