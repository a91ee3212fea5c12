#include "query/score/category_scores.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace residue::query {
namespace {

using Answer = CategoryAnswers::Answer;

const Answer kAge{true, {"Age"}, 0};
const Answer kAgeAndPet{true, {"Age", "Pet"}, 0};
const Answer kNone{true, {}, 0};
const Answer kUnsaid{};

RecordCase linked_case() {
  RecordCase record;
  record.has_claims = record.attacked = record.linked = record.linked_own = true;
  return record;
}

Contribution part(const std::vector<Contribution>& all, const std::string& cut) {
  for (const Contribution& one : all) {
    if (one.cut == cut) return one;
  }
  ADD_FAILURE() << "no part " << cut;
  return {};
}

const std::vector<const Answer*> kAbout = {&kAge, &kAgeAndPet, &kNone, &kUnsaid, &kAge};
const std::vector<std::optional<std::uint8_t>> kRatings = {1, 2, 3, 1, 3};

TEST(CategoryScores, CountAClaimInEachOfItsCategories) {
  const auto all = category_scores(linked_case(), kAbout, kRatings);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(part(all, "Age"), (Contribution{MetricId::kLeakByCategory, Outcome::kNone, State::kValue, 2, 3, 2, "Age"}));
  EXPECT_EQ(part(all, "Pet"), (Contribution{MetricId::kLeakByCategory, Outcome::kNone, State::kValue, 1, 1, 1, "Pet"}));
  EXPECT_EQ(part(all, "no category").num, 0);
  EXPECT_EQ(part(all, "not categorized").num, 1);
}

TEST(CategoryScores, OfLostRecordsLeakAtWorst) {
  RecordCase record = linked_case();
  record.failed = true;
  const Contribution failed = part(category_scores(record, kAbout, kRatings), "Age");
  EXPECT_EQ(failed, (Contribution{MetricId::kLeakByCategory, Outcome::kNone, State::kFailed, 3, 3, 0, "Age"}));

  auto ratings = kRatings;
  ratings[2] = std::nullopt;  // of a claim that is not about age: leak_rate has no value of the record either
  EXPECT_EQ(part(category_scores(linked_case(), kAbout, ratings), "Age").state, State::kMissing);
  record = linked_case();
  record.judge_failed = true;
  EXPECT_EQ(part(category_scores(record, kAbout, ratings), "Age").state, State::kFailed);
}

TEST(CategoryScores, OfRecordsThatLinkToNothingAreNoLeaks) {
  RecordCase record = linked_case();
  record.linked = record.linked_own = false;
  const Contribution age = part(category_scores(record, kAbout, {}), "Age");
  EXPECT_EQ(age.state, State::kValue);
  EXPECT_EQ(age.num, 0);
  EXPECT_EQ(age.den, 3);
}

TEST(CategoryScores, AreNoneWhereNothingIsJudged) {
  for (const auto member : {&RecordCase::empty_original, &RecordCase::all_known}) {
    RecordCase record = linked_case();
    record.*member = true;
    EXPECT_TRUE(category_scores(record, kAbout, kRatings).empty());
  }
  RecordCase record = linked_case();
  record.has_claims = false;
  EXPECT_TRUE(category_scores(record, {}, {}).empty());
}

TEST(CategoryAnswers, KnowEachAnswerOnceWhateverItsOrder) {
  CategoryAnswers answers;
  const auto first = answers.add(R"(["B","A","B"])");
  EXPECT_EQ(answers.add(R"(["B","A","B"])"), first);
  EXPECT_EQ(answers[first].names, (std::vector<std::string>{"A", "B"}));
  const auto same = answers.add(R"(["A","B"])"), other = answers.add(R"(["AB"])");
  EXPECT_EQ(answers[same].hash, answers[first].hash);
  EXPECT_NE(answers[other].hash, answers[first].hash);
  EXPECT_FALSE(answers[0].said);
  const auto none = answers.add("[]");
  EXPECT_TRUE(answers[none].said);
}

}  // namespace
}  // namespace residue::query
