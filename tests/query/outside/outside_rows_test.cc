#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "query/metric/outside_metrics.h"
#include "query/outside/anonymeter.h"
#include "query/outside/outside_attack.h"
#include "query/outside/two_samples.h"

namespace residue::query {
namespace {

using Rating = std::optional<std::uint8_t>;

class OutsideRows : public ::testing::Test {
 protected:
  // A person with one record, whose claims after the second, which is known, are so rated.
  AttackedRecord person(std::vector<Rating> ratings) {
    AttackedRecord record;
    record.key = keys_.emplace_back(std::to_string(keys_.size()));
    record.unit = mix(keys_.size());
    record.facts.has_claims = record.facts.attacked = record.facts.linked = true;
    for (std::size_t i = 0; i < ratings.size(); ++i) record.claims.push_back(static_cast<std::uint32_t>(i + 3));
    record.ratings = std::move(ratings);
    return record;
  }

  std::vector<AttackedRecord> persons(std::size_t count, const std::vector<Rating>& ratings) {
    std::vector<AttackedRecord> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(person(ratings));
    return all;
  }

  static MetricRow row(MetricId metric, const std::vector<AttackedRecord>& members,
                       const std::vector<AttackedRecord>& controls) {
    const std::vector<MetricRow> rows = outside_rows(members, controls);
    return *std::ranges::find(rows, metric, &MetricRow::metric);
  }

  static MetricRow risk(const std::vector<AttackedRecord>& members, const std::vector<AttackedRecord>& controls) {
    return row(MetricId::kAnonymeterRisk, members, controls);
  }

 private:
  std::list<std::string> keys_;
};

void append(std::vector<AttackedRecord>& all, std::vector<AttackedRecord> more) {
  all.insert(all.end(), more.begin(), more.end());
}

TEST_F(OutsideRows, CountAPersonOnce) {
  std::vector<AttackedRecord> members = persons(30, {1}), controls = persons(30, {3});
  append(members, persons(10, {2}));
  append(controls, persons(10, {1}));
  for (int i = 0; i < 5; ++i) {  // ten more records of people who have one
    members.push_back(members[0]);
    controls.push_back(controls[0]);
  }
  const MetricRow found = risk(members, controls);
  const ResidualRisk expected = residual_risk({30, 40}, {10, 40});
  EXPECT_EQ(found.value, expected.value);
  EXPECT_EQ(found.low, expected.interval.low);
  EXPECT_EQ(found.high, expected.interval.high);
  EXPECT_EQ(found.n, 80);
  EXPECT_EQ(found.drop_value, found.value);
}

// A similar claim is no full leak; nothing linked says nothing.
TEST_F(OutsideRows, SucceedWhereTheClaimIsTheSame) {
  std::vector<AttackedRecord> members = persons(20, {1}), controls = persons(20, {1});
  for (AttackedRecord& one : controls) one.facts.linked = false;
  EXPECT_EQ(risk(members, controls).value, residual_risk({20, 20}, {0, 20}).value);
  EXPECT_EQ(risk(persons(20, {2}), controls).value, 0);
}

TEST_F(OutsideRows, GuessOneClaimDrawnByLot) {
  std::vector<AttackedRecord> members = persons(400, {1, 3, 3, 3}), controls = persons(400, {3, 3, 3, 3});
  const double found = *risk(members, controls).value;
  EXPECT_NEAR(found, 0.25, 0.06) << "one of four, not any of them";
  std::ranges::reverse(members);
  EXPECT_EQ(*risk(members, controls).value, found);
}

TEST_F(OutsideRows, CountWhatFailedAsLeakedInTheAttackAlone) {
  std::vector<AttackedRecord> members = persons(30, {3}), controls = persons(30, {3});
  for (int i = 0; i < 10; ++i) members[static_cast<std::size_t>(i)].facts.failed = true;
  controls[0].facts.failed = true;
  const MetricRow found = risk(members, controls);
  EXPECT_EQ(found.value, residual_risk({10, 30}, {0, 30}).value);
  EXPECT_EQ(found.if_leaked, found.value);
  EXPECT_EQ(found.if_private, residual_risk({0, 30}, {1, 30}).value);
  EXPECT_EQ(found.drop_value, residual_risk({0, 20}, {0, 29}).value);
  EXPECT_EQ(found.n, 49);
  EXPECT_EQ(found.failed, 11);
  const MetricRow net = row(MetricId::kFullLeakRateNetOutside, members, controls);
  EXPECT_DOUBLE_EQ(*net.value, 10.0 / 30);
  EXPECT_DOUBLE_EQ(*net.if_private, (0 - 1.0 / 30) / (1 - 1.0 / 30));
  EXPECT_EQ(*net.drop_value, 0);
}

// Of a judge that gave no rating, whoever it was asked of.
TEST_F(OutsideRows, KnowNothingOfAClaimWithoutARating) {
  std::vector<AttackedRecord> members = persons(21, {3}), controls = persons(20, {3});
  members[0].ratings[0].reset();
  EXPECT_EQ(risk(members, controls).missing, 1);
  members[0].facts.judge_failed = true;
  EXPECT_EQ(risk(members, controls).failed, 1);
}

// It may have said anything, and as much as the others do.
TEST_F(OutsideRows, CountARecordWithoutClaimsAsMissing) {
  std::vector<AttackedRecord> members = persons(39, {3, 3}), controls = persons(20, {3});
  members.push_back(person({}));
  members.back().facts.no_claims = true;
  members.back().facts.has_claims = false;
  const MetricRow found = risk(members, controls);
  EXPECT_EQ(found.missing, 1);
  EXPECT_EQ(found.value, residual_risk({1, 40}, {0, 20}).value);
  EXPECT_DOUBLE_EQ(*row(MetricId::kLeakRateNetOutside, members, controls).value, 2.0 / 80);
}

// On average the others have two claims, one of them has three.
TEST_F(OutsideRows, BoundARecordWithoutClaimsByTheMostThatAnotherOneHas) {
  std::vector<AttackedRecord> members = persons(20, {3}), controls = persons(20, {3});
  append(members, persons(20, {3, 3, 3}));
  append(controls, persons(20, {1, 3, 3}));
  for (std::vector<AttackedRecord>* side : {&members, &controls}) {
    side->push_back(person({}));
    side->back().facts.no_claims = true;
    side->back().facts.has_claims = false;
  }
  const auto net = [](double attack, double control) { return (attack - control) / (1 - control); };
  const MetricRow found = row(MetricId::kLeakRateNetOutside, members, controls);
  EXPECT_DOUBLE_EQ(*found.value, net(2.0 / 82, 20.0 / 82));
  EXPECT_DOUBLE_EQ(*found.if_leaked, net(3.0 / 83, 20.0 / 83));
  EXPECT_DOUBLE_EQ(*found.if_private, net(0, 23.0 / 83));
  EXPECT_DOUBLE_EQ(*found.drop_value, net(0, 20.0 / 80));
}

TEST_F(OutsideRows, AreNotOfRecordsThatHoldNothingToGuess) {
  std::vector<AttackedRecord> members = persons(22, {1}), controls = persons(20, {3});
  members[0].facts.empty_original = true;
  members[1].claims.clear();
  members[1].ratings.clear();
  const MetricRow found = risk(members, controls);
  EXPECT_EQ(found.n, 40);
  EXPECT_EQ(found.not_applicable, 2);
}

TEST_F(OutsideRows, PoolClaimsInNets) {
  std::vector<AttackedRecord> members = persons(10, {1, 2, 3, 3}), controls = persons(20, {3, 3, 2, 3, 3});
  append(members, persons(10, {1, 1}));
  const MetricRow leaks = row(MetricId::kLeakRateNetOutside, members, controls);
  EXPECT_DOUBLE_EQ(*leaks.value, (40.0 / 60 - 0.2) / 0.8);
  EXPECT_DOUBLE_EQ(*row(MetricId::kFullLeakRateNetOutside, members, controls).value, 30.0 / 60);
  EXPECT_LT(*leaks.low, *leaks.value);
  EXPECT_GT(*leaks.high, *leaks.value);
  EXPECT_EQ(leaks.n, 40);
}

TEST_F(OutsideRows, SayNothingOfFewPersons) {
  const std::vector<AttackedRecord> some = persons(20, {1}), few = persons(19, {3});
  for (const MetricRow& one : outside_rows(some, few)) {
    EXPECT_FALSE(one.value);
    EXPECT_EQ(one.reason, "too few persons: 20 in the release and 19 controls; 20 of each are needed");
  }
  for (const MetricRow& one : outside_rows(few, some)) EXPECT_FALSE(one.value);
}

TEST_F(OutsideRows, HaveNoNetWhereTheControlHasAll) {
  const MetricRow found = row(MetricId::kLeakRateNetOutside, persons(20, {1}), persons(20, {1}));
  EXPECT_FALSE(found.value);
  EXPECT_EQ(found.reason, "the attack finds all that the controls have");
}

}  // namespace
}  // namespace residue::query
