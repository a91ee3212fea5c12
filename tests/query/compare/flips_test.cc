#include "query/compare/flips.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace residue::query {
namespace {

Leak leak(const std::string& record, std::uint32_t n, std::uint8_t rating = 1) {
  Leak one;
  one.record = record;
  one.n = n;
  one.rating = rating;
  return one;
}

ScoredRecord rate(std::int64_t record, State state, std::int64_t claims) {
  return {RecordId{record}, 0, state, 0, claims};
}

FlipInput example() {
  FlipInput input;
  input.keys = {{RecordId{1}, "x"}, {RecordId{2}, "y"}, {RecordId{3}, "z"}};
  // x is rated in both, y failed in the second run, z in the first.
  input.rates_a = {rate(1, State::kValue, 4), rate(2, State::kValue, 3), rate(3, State::kFailed, 5)};
  input.rates_b = {rate(1, State::kValue, 4), rate(2, State::kFailed, 3), rate(3, State::kValue, 5)};
  input.a = {leak("x", 1), leak("x", 2, 2), leak("y", 1)};
  input.b = {leak("x", 4, 2), leak("x", 1, 2), leak("x", 3, 1), leak("z", 2)};
  return input;
}

TEST(Flips, AreClaimsThatLeakOnOneSideOnly) {
  const Flips flips = find_flips(example(), 0);
  EXPECT_EQ(flips.became_leaked, 2U);
  EXPECT_EQ(flips.became_private, 1U);
  EXPECT_EQ(flips.leaked_in_both, 1U);  // a rating that changed from 1 to 2 leaks still
  ASSERT_EQ(flips.flips.size(), 3U);
  EXPECT_EQ(flips.flips[0].n, 3U);  // became leaked, worst rating first
  EXPECT_TRUE(flips.flips[0].leaked);
  EXPECT_EQ(flips.flips[1].n, 4U);
  EXPECT_EQ(flips.flips[2].n, 2U);
  EXPECT_FALSE(flips.flips[2].leaked);
  EXPECT_EQ(flips.flips[2].rating, 2U);
}

TEST(Flips, OfRecordsWithoutRatingsAreNotClaimedButCounted) {
  const Flips flips = find_flips(example(), 0);
  EXPECT_EQ(flips.lost, 2U);    // y: three claims, of which one leaked before
  EXPECT_EQ(flips.gained, 4U);  // z: five claims, of which one leaks
}

TEST(Flips, AreLimitedByKind) {
  const Flips flips = find_flips(example(), 1);
  ASSERT_EQ(flips.flips.size(), 2U);
  EXPECT_TRUE(flips.flips[0].leaked);
  EXPECT_FALSE(flips.flips[1].leaked);
  EXPECT_EQ(flips.became_leaked, 2U);
}

}  // namespace
}  // namespace residue::query
