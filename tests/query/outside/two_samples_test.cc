#include "query/outside/two_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "query/outside/anonymeter.h"
#include "query/outside/too_few.h"

namespace residue::query {
namespace {

// Each record is a person of its own, of these numbers.
std::vector<Ranked> ranked(std::vector<std::int64_t> ranks, std::uint64_t first = 1) {
  std::vector<Ranked> all;
  for (const std::int64_t rank : ranks) all.push_back({rank, mix(first++)});
  return all;
}

std::vector<Ranked> many(std::size_t count, std::int64_t from, std::uint64_t first) {
  std::vector<std::int64_t> ranks;
  for (std::size_t i = 0; i < count; ++i) ranks.push_back(from + static_cast<std::int64_t>(i));
  return ranked(ranks, first);
}

TEST(MembershipAuc, IsTheShareOfPairsWonTiesBeingHalves) {
  // 3 beats 1 and 2, ties with 3; 0 loses all: (2 + 1/2 + 0) / 6.
  const Estimate found = membership_auc(ranked({3, 0}), ranked({1, 2, 3}, 100));
  EXPECT_DOUBLE_EQ(found.value, 2.5 / 6);
  EXPECT_LE(found.interval.low, found.value);
  EXPECT_GE(found.interval.high, found.value);
  EXPECT_EQ(membership_auc(ranked({5, 5}), ranked({5, 5, 5}, 100)).value, 0.5);
  EXPECT_EQ(membership_auc(ranked({7, 6}), ranked({5, 1}, 100)).value, 1);
}

TEST(MembershipAuc, DependsOnNoOrder) {
  std::vector<Ranked> members = ranked({5, 2, 2, 9, 4, 1}), controls = ranked({2, 3, 8, 1}, 100);
  const Estimate found = membership_auc(members, controls);
  std::ranges::reverse(members);
  std::swap(controls[0], controls[2]);
  const Estimate again = membership_auc(members, controls);
  EXPECT_EQ(found.value, again.value);
  EXPECT_EQ(found.interval.low, again.interval.low);
  EXPECT_EQ(found.interval.high, again.interval.high);
}

// Where every member wins there could still be one who does not.
TEST(MembershipAuc, HasNoIntervalOfWidthZero) {
  const Estimate all = membership_auc(many(200, 1000, 1), many(200, 0, 1000));
  EXPECT_EQ(all.value, 1);
  EXPECT_EQ(all.interval.high, 1);
  EXPECT_LT(all.interval.low, 0.99);
  EXPECT_GT(all.interval.low, 0.95);
}

// 400 records of 20 persons say as much as 20 records.
TEST(MembershipAuc, DrawsPersons) {
  std::vector<Ranked> members, controls = many(400, 0, 1000);
  for (std::uint64_t i = 0; i < 400; ++i)
    members.push_back({static_cast<std::int64_t>(i / 20 * 40 % 400), mix(i / 20)});
  std::vector<Ranked> alone = members;
  for (std::uint64_t i = 0; i < 400; ++i) alone[i].unit = mix(i);
  const auto width = [](const Estimate& one) { return one.interval.high - one.interval.low; };
  EXPECT_GT(width(membership_auc(members, controls)), 2 * width(membership_auc(alone, controls)));
}

TEST(MembershipTpr01, CountsMembersStrictlyAboveTheControlThatOneInAHundredReaches) {
  // 99 controls of ranks 0 to 98: floor(100 / 100) = the first, of rank 98.
  EXPECT_EQ(membership_tpr_01(ranked({99, 98, 97, 200}), many(99, 0, 100)).value, 0.5);
  // 199: the second, of rank 197.
  EXPECT_EQ(membership_tpr_01(ranked({199, 198, 197, 0}), many(199, 0, 100)).value, 0.5);
}

TEST(MembershipTpr01, HasAnIntervalThatHoldsIt) {
  const Estimate found = membership_tpr_01(many(500, 900, 1), many(1000, 0, 10'000));
  EXPECT_DOUBLE_EQ(found.value, 409.0 / 500) << "above the tenth of 1,000, of rank 990";
  EXPECT_GT(found.interval.low, 0.6);
  EXPECT_LT(found.interval.low, found.value);
  EXPECT_GT(found.interval.high, found.value);
  EXPECT_LT(found.interval.high, 0.95);
}

TEST(UnpairedNet, IsWhatTheAttackHasOfWhatTheControlHasNot) {
  // 6 of 10 against 2 of 8: (0.6 - 0.25) / 0.75.
  const std::vector<Units> members = {{4, 5, mix(1)}, {2, 5, mix(2)}}, controls = {{1, 4, mix(3)}, {1, 4, mix(4)}};
  EXPECT_DOUBLE_EQ(*unpaired_net_value(members, controls), 0.35 / 0.75);
  EXPECT_DOUBLE_EQ(unpaired_net(members, controls)->value, 0.35 / 0.75);
  EXPECT_DOUBLE_EQ(*unpaired_net_value(controls, members), (0.25 - 0.6) / 0.4) << "unclipped";
}

TEST(UnpairedNet, IsNothingWhereTheControlHasAll) {
  const std::vector<Units> some = {{1, 2, mix(1)}}, all = {{2, 2, mix(2)}};
  EXPECT_FALSE(unpaired_net(some, all));
  EXPECT_FALSE(unpaired_net(some, {}));
  EXPECT_FALSE(unpaired_net({}, some));
}

TEST(UnpairedNet, HasNoIntervalOfWidthZero) {
  std::vector<Units> members, controls;
  for (std::uint64_t i = 0; i < 100; ++i) {
    members.push_back({5, 5, mix(i)});
    controls.push_back({0, 5, mix(1000 + i)});
  }
  const Estimate found = *unpaired_net(members, controls);
  EXPECT_EQ(found.value, 1);
  EXPECT_LT(found.interval.low, 0.99);
  EXPECT_GT(found.interval.low, 0.9);
  EXPECT_EQ(found.interval.high, 1);
  const Estimate none = *unpaired_net(controls, controls);
  EXPECT_EQ(none.value, 0);
  EXPECT_LE(none.interval.low, 0);
  EXPECT_GT(none.interval.high, 0);
}

// Of the library anonymeter.
TEST(ResidualRisk, IsThatOfTheLibrary) {
  struct Case {
    Successes attack, control;
    double value, low, high;
  };
  for (const Case& c : {Case{{250, 500}, {50, 500}, 0.4426, 0.3912, 0.4939}, Case{{20, 20}, {2, 20}, 0.9036, 0.8059, 1},
                        Case{{10, 100}, {50, 100}, 0, 0, 0}}) {
    const ResidualRisk found = residual_risk(c.attack, c.control);
    EXPECT_NEAR(found.value, c.value, 5e-5);
    EXPECT_NEAR(found.interval.low, c.low, 5e-5);
    EXPECT_NEAR(found.interval.high, c.high, 5e-5);
  }
}

TEST(TooFew, SaysHowManyThereAre) {
  EXPECT_EQ(too_few(20, 20), "");
  EXPECT_EQ(too_few(20, 19), "too few persons: 20 in the release and 19 controls; 20 of each are needed");
}

}  // namespace
}  // namespace residue::query
