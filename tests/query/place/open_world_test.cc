// Claims of an attacker who need not claim, by hand.
#include "query/place/open_world.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace residue::query {
namespace {

OpenTarget target(std::optional<double> sure, std::optional<double> rest, double right = 1) {
  OpenTarget one;
  if (sure) one.sure = fixed(*sure);
  if (rest) one.rest_sure = fixed(*rest);
  one.right = fixed(right);
  return one;
}

TEST(OpenCurve, CountsClaimsOfTargetsThatAreThereAndOfThoseThatAreNot) {
  // Right at 0.9 and 0.5; wrong at 0.3; one of two persons at 0. Absent: claims at 0.5 and 0.
  const std::vector<OpenTarget> targets = {target(0.9, 0.5), target(0.5, 0.0), target(0.3, std::nullopt, 0),
                                           target(0.0, std::nullopt, 0.5)};
  const auto curve = open_curve(targets, 0, kHalfAbsent);
  ASSERT_EQ(curve.size(), 21U);
  EXPECT_EQ(curve[0].threshold, 0.0);
  EXPECT_EQ(curve[0].claims, 6U);
  EXPECT_DOUBLE_EQ(*curve[0].recall, 2.5 / 4);
  EXPECT_DOUBLE_EQ(*curve[0].precision, 2.5 / 6);
  EXPECT_EQ(curve[10].threshold, 0.5);
  EXPECT_EQ(curve[10].claims, 3U);
  EXPECT_DOUBLE_EQ(*curve[10].recall, 0.5);
  EXPECT_DOUBLE_EQ(*curve[10].precision, 2.0 / 3);
  EXPECT_EQ(curve[20].claims, 0U);
  EXPECT_EQ(curve[20].recall, 0.0);
  EXPECT_EQ(curve[20].precision, std::nullopt);
  // Of which a fifth is absent: weights 0.8 and 0.2. Of whom none is: all claims but those.
  EXPECT_DOUBLE_EQ(*open_curve(targets, 0, 200)[10].precision, 1.6 / 1.8);
  EXPECT_EQ(open_curve(targets, 0, 0)[10].claims, 2U);
  EXPECT_DOUBLE_EQ(*open_curve(targets, 0, 0)[10].precision, 1.0);
  // Whom nothing is known of is found.
  EXPECT_DOUBLE_EQ(*open_curve(targets, 2, kHalfAbsent)[20].recall, 2.0 / 6);
}

TEST(LearnThreshold, TakesTheLowestOfThatPrecision) {
  std::vector<OpenTarget> targets;
  for (int i = 0; i < 9; ++i) targets.push_back(target(0.9 - 0.01 * i, std::nullopt));
  EXPECT_TRUE(learn_threshold(targets, 90, kHalfAbsent).too_few);  // nine claims
  targets.push_back(target(0.5, std::nullopt, 0));
  EXPECT_EQ(learn_threshold(targets, 90, kHalfAbsent).threshold, fixed(0.5));  // nine of ten
  EXPECT_FALSE(learn_threshold(targets, 90, kHalfAbsent).too_few);
  EXPECT_TRUE(learn_threshold(targets, 95, kHalfAbsent).too_few);
  targets.push_back(target(0.4, std::nullopt, 0));
  EXPECT_EQ(learn_threshold(targets, 90, kHalfAbsent).threshold, fixed(0.5));
  for (int i = 0; i < 9; ++i) targets.push_back(target(0.3, std::nullopt));
  EXPECT_EQ(learn_threshold(targets, 90, kHalfAbsent).threshold, fixed(0.3));  // 18 of 20
  // A claim about an absent one is wrong, whatever it says.
  targets[0].rest_sure = fixed(0.99);
  EXPECT_EQ(learn_threshold(targets, 90, kHalfAbsent).threshold, fixed(0.9 - 0.01 * 8));  // nine of ten again
  EXPECT_EQ(learn_threshold(targets, 90, 0).threshold, fixed(0.3));                       // nobody is absent
  targets[1].rest_sure = fixed(0.98);
  EXPECT_EQ(learn_threshold(targets, 90, kHalfAbsent).threshold, std::nullopt);
}

// Five claims that are right say nothing of nine in ten: neither that he finds nobody.
TEST(LearnThreshold, DoesNotBelieveFewClaims) {
  std::vector<OpenTarget> targets(5, target(0.9, std::nullopt));
  for (int i = 0; i < 20; ++i) targets.push_back(target(0.1, std::nullopt, 0));
  EXPECT_TRUE(learn_threshold(targets, 90, kHalfAbsent).too_few);
  EXPECT_EQ(learn_threshold(targets, 90, kHalfAbsent).threshold, std::nullopt);
  // Sixty who are all found for sure, and the half who are absent: 99 in 100 cannot be seen.
  std::vector<OpenTarget> sixty(60, target(0.9, 0.0));
  EXPECT_TRUE(learn_threshold(sixty, 99, kHalfAbsent).too_few);
  EXPECT_FALSE(learn_threshold(sixty, 95, kHalfAbsent).too_few);
  // Where the surest claims are wrong he has learned that he finds nobody.
  std::vector<OpenTarget> wrong(20, target(0.9, 0.95, 0));
  EXPECT_FALSE(learn_threshold(wrong, 90, kHalfAbsent).too_few);
}

// All with one confidence stand or fall together.
TEST(LearnThreshold, DoesNotCutThroughEqualConfidence) {
  std::vector<OpenTarget> targets(10, target(0.8, std::nullopt));
  targets.push_back(target(0.8, 0.8, 0));
  EXPECT_EQ(learn_threshold(targets, 90, kHalfAbsent).threshold, std::nullopt);  // 10 of 12
  EXPECT_EQ(learn_threshold(targets, 90, 0).threshold, fixed(0.8));              // 10 of 11
}

TEST(LearnThreshold, NeedsSomebodyWhoCouldBeClaimed) {
  const std::vector<OpenTarget> nobody(5, target(std::nullopt, std::nullopt, 0));
  EXPECT_FALSE(learn_threshold(nobody, 90, kHalfAbsent).too_few);  // ten claims could have been made
  EXPECT_EQ(learn_threshold(nobody, 90, kHalfAbsent).threshold, std::nullopt);
  EXPECT_TRUE(learn_threshold(nobody, 95, kHalfAbsent).too_few);
  EXPECT_TRUE(learn_threshold(nobody, 90, 0).too_few);
}

PlacedRecord placed(std::uint64_t unit, std::optional<double> sure, std::optional<double> rest, bool right = true) {
  PlacedRecord one{State::kValue, unit, {}};
  one.place.attacked = true;
  one.place.persons = 1;
  one.place.own_person = right;
  if (sure) one.place.sure = Sure{fixed(*sure), false};
  if (rest) one.place.rest_sure = Sure{fixed(*rest), false};
  return one;
}

std::map<std::string, MetricRow> rows_of(const std::vector<PlacedRecord>& targets, bool absent = true) {
  std::map<std::string, MetricRow> rows;
  for (const MetricRow& row : open_rows(targets, absent, true)) {
    rows[std::string(definition(row.metric).name) + (row.slice.all() ? "" : "/") + row.slice.name()] = row;
  }
  return rows;
}

// Units of the two halves in turn.
std::vector<std::uint64_t> units(std::size_t of_each) {
  std::vector<std::uint64_t> first, second, all;
  for (std::uint64_t unit = 1; first.size() < of_each || second.size() < of_each; ++unit) {
    (second_half(unit) ? second : first).push_back(unit);
  }
  for (std::size_t i = 0; i < of_each; ++i) all.push_back(first[i]), all.push_back(second[i]);
  return all;
}

TEST(OpenRows, UseTheThresholdOfTheOtherHalf) {
  // First half: ten right at 0.6, five wrong at 0.2; second half: ten right at 0.4, five wrong at 0.3.
  std::vector<PlacedRecord> targets;
  const auto persons = units(15);
  for (std::size_t i = 0; i < 15; ++i) {
    targets.push_back(placed(persons[2 * i], i < 10 ? 0.6 : 0.2, std::nullopt, i < 10));
    targets.push_back(placed(persons[2 * i + 1], i < 10 ? 0.4 : 0.3, std::nullopt, i < 10));
  }
  const auto rows = rows_of(targets);
  // The first half learns 0.6: of the second nobody is claimed. The second learns 0.4: ten of the first are found.
  EXPECT_DOUBLE_EQ(*rows.at("open_recall_90").value, 10.0 / 30);
  EXPECT_DOUBLE_EQ(*rows.at("open_recall_90/precision").value, 1.0);
  EXPECT_LT(*rows.at("open_recall_90").low, 1.0 / 3);
  EXPECT_GT(*rows.at("open_recall_90").high, 1.0 / 3);
  EXPECT_LT(*rows.at("open_recall_90/precision").low, 1.0);
  for (const char* name : {"open_recall_95", "open_recall_99"}) {
    EXPECT_EQ(rows.at(name).value, std::nullopt);
    EXPECT_EQ(rows.at(name).reason.find("too few persons"), 0U);
    EXPECT_EQ(rows.at(name).not_applicable, 30);
  }
}

TEST(OpenRows, CountClaimsAboutAbsentTargetsAgainstThePrecision) {
  std::vector<PlacedRecord> targets;
  for (const std::uint64_t unit : units(20)) targets.push_back(placed(unit, 0.9, 0.5));
  auto rows = rows_of(targets);
  EXPECT_EQ(rows.at("open_recall_90").value, 1.0);  // at 0.9
  EXPECT_EQ(rows.at("open_recall_90/precision").value, 1.0);
  // Who is absent is claimed as surely as who is there: half of the claims are wrong.
  for (PlacedRecord& target : targets) target.place.rest_sure = target.place.sure;
  rows = rows_of(targets);
  EXPECT_EQ(rows.at("open_recall_90").value, 0.0);
  EXPECT_EQ(rows.at("open_recall_90/precision").value, std::nullopt);
}

TEST(OpenRows, CountLostTargetsAsFound) {
  std::vector<PlacedRecord> targets;
  for (const std::uint64_t unit : units(20)) targets.push_back(placed(unit, std::nullopt, std::nullopt, false));
  EXPECT_EQ(rows_of(targets).at("open_recall_90").value, 0.0);
  targets.push_back({State::kFailed, 1'000, {}});
  targets.push_back({State::kMissing, 1'001, {}});
  targets.push_back({State::kNotApplicable, 1'002, {}});
  const MetricRow row = rows_of(targets).at("open_recall_90");
  EXPECT_DOUBLE_EQ(*row.value, 2.0 / 42);
  EXPECT_EQ(row.drop_value, 0.0);
  EXPECT_EQ(row.if_private, 0.0);
  EXPECT_EQ(row.failed, 1);
  EXPECT_EQ(row.missing, 1);
  EXPECT_EQ(row.not_applicable, 1);
  EXPECT_EQ(rows_of(targets).at("open_recall_90/precision").failed, 1);
}

TEST(OpenRows, AreNotApplicableWithoutAnAbsentAttack) {
  const auto rows = rows_of({placed(1, 1.0, std::nullopt)}, false);
  EXPECT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows.at("open_recall_95").not_applicable, 1);
  EXPECT_EQ(rows.at("open_recall_95").reason, "no absent attack is made");
}

}  // namespace
}  // namespace residue::query
