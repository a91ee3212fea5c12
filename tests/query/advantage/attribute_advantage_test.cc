// The worth of guesses beyond the best constant one, by hand.
#include "query/advantage/attribute_advantage.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace residue::query {
namespace {

// A dataset of persons with one record each, whose labels are guessed right or not.
struct People {
  std::vector<AttributeLabel> labels;
  std::vector<GuessedPart> parts = {GuessedPart{""}};

  GuessedPart& part(const std::string& attribute) {
    for (GuessedPart& one : parts) {
      if (one.attribute == attribute) return one;
    }
    return parts.emplace_back(GuessedPart{attribute});
  }

  // `count` persons from number `first` on.
  void add(std::int64_t first, int count, const std::string& attribute, const std::string& value, bool right,
           State state = State::kValue) {
    for (std::int64_t person = first; person < first + count; ++person) {
      const auto unit = static_cast<std::uint64_t>(person) * 0x9e3779b97f4a7c15U + 1;
      labels.push_back({RecordId{person}, unit, attribute, value});
      const std::int64_t num = right || state != State::kValue ? 1 : 0;
      Contribution one{MetricId::kAttributeAccuracy, Outcome::kNone, state, num, 1, state == State::kValue ? num : 0};
      part(attribute).records.push_back({RecordId{person}, {one, unit}});
      for (auto& [record, whole] : part("").records) {
        if (record != RecordId{person}) continue;
        whole.contribution.num += one.num;
        whole.contribution.den += 1;
        whole.contribution.best += one.best;
        one.den = 0;
      }
      if (one.den != 0) part("").records.push_back({RecordId{person}, {one, unit}});
    }
  }

  [[nodiscard]] MetricRow row(const std::string& attribute) const {
    for (MetricRow& found : attribute_advantage(labels, parts)) {
      if (found.slice.all() ? attribute.empty() : found.slice.name() == attribute) return found;
    }
    ADD_FAILURE() << "no row of " << attribute;
    return {};
  }
};

TEST(AttributeAdvantage, IsWhatIsRightBeyondTheBestConstantGuess) {
  People people;  // "Bern" is right for 30 of 40; the guesses for 36
  people.add(0, 30, "city", "Bern", true);
  people.add(30, 6, "city", "Oslo", true);
  people.add(36, 4, "city", "Oslo", false);
  for (const char* part : {"", "city"}) {
    const MetricRow row = people.row(part);
    EXPECT_DOUBLE_EQ(row.value.value(), 0.6) << part;
    EXPECT_EQ(row.n, 40);
    EXPECT_EQ(row.units, 40);
    EXPECT_LE(row.low.value(), 0.6);
    EXPECT_GE(row.high.value(), 0.6);
    EXPECT_LT(row.low.value(), 0.55);
    EXPECT_EQ(row.if_private, row.value);
  }
}

TEST(AttributeAdvantage, OfAgesAnyNumberMayBeTheGuess) {
  People people;  // 22 is right for 20 and 27; no true value is right for more than 30 of 50
  people.add(0, 20, "age", "20", true);
  people.add(20, 20, "age", "27", true);
  people.add(40, 10, "age", "60", false);
  EXPECT_DOUBLE_EQ(people.row("").value.value(), 0);
}

TEST(AttributeAdvantage, PoolsTheBestGuessesOfEachAttribute) {
  People people;
  people.add(0, 30, "city", "Bern", true);
  people.add(30, 10, "city", "Oslo", true);  // 40 right, 30 by one guess
  people.add(0, 20, "work", "baker", true);
  people.add(20, 20, "work", "smith", false);  // 20 right, 20 by one guess
  EXPECT_DOUBLE_EQ(people.row("").value.value(), (60.0 - 50) / (80 - 50));
  EXPECT_DOUBLE_EQ(people.row("city").value.value(), 1);
  EXPECT_DOUBLE_EQ(people.row("work").value.value(), 0);
}

TEST(AttributeAdvantage, IsBelowZeroWhereAGuessDoesBetter) {
  People people;
  people.add(0, 30, "city", "Bern", false);
  people.add(30, 10, "city", "Oslo", true);
  EXPECT_DOUBLE_EQ(people.row("").value.value(), (10.0 - 30) / 10);
}

TEST(AttributeAdvantage, WhatIsLostWasGuessed) {
  People people;
  people.add(0, 30, "city", "Bern", true);
  people.add(30, 5, "city", "Oslo", false);
  people.add(35, 5, "city", "Oslo", false, State::kMissing);
  const MetricRow row = people.row("");
  EXPECT_DOUBLE_EQ(row.value.value(), 0.5);
  EXPECT_DOUBLE_EQ(row.if_leaked.value(), 0.5);
  EXPECT_DOUBLE_EQ(row.if_private.value(), 0);
  EXPECT_DOUBLE_EQ(row.drop_value.value(), 0) << "35 labels, 30 right, by one guess too";
  EXPECT_EQ(row.missing, 5);
}

TEST(AttributeAdvantage, NeedsThirtyPersonsAndSomethingToGuess) {
  People few;
  few.add(0, 29, "city", "Bern", true);
  few.add(28, 1, "work", "smith", true);
  EXPECT_EQ(few.row("").value, std::nullopt);
  EXPECT_NE(few.row("").reason.find("too few persons: 29"), std::string::npos) << few.row("").reason;
  People same;
  same.add(0, 40, "city", "Bern", true);
  EXPECT_EQ(same.row("").value, std::nullopt);
  EXPECT_EQ(same.row("").not_applicable, 40);
}

}  // namespace
}  // namespace residue::query
