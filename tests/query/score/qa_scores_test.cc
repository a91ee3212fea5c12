// Expectations computed by hand, ZSTS Table 2.
#include "query/score/qa_scores.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace residue::query {
namespace {

TaskCase answered(const char* answer) { return {true, false, true, answer}; }
const TaskCase kGaveNone{true, false, true, std::nullopt};
const TaskCase kNotAsked{true, false, false, std::nullopt};
const TaskCase kNoText{true, true, false, std::nullopt};
const TaskCase kEmpty{false, false, false, std::nullopt};

const char* const kOriginal = R"(["Yes, John Smith","No","Yes","unknown"])";

struct Counted {
  State state;
  std::int64_t num, den, best;
  friend bool operator==(const Counted&, const Counted&) = default;
};
std::vector<Counted> counted(const TaskCase& original, const TaskCase& own, const text::Substitutions& table = {}) {
  std::vector<Counted> all;
  for (const Contribution& c : qa_scores(original, own, table)) all.push_back({c.state, c.num, c.den, c.best});
  return all;
}
using Both = std::vector<Counted>;

TEST(QaScores, CountTheQuestionsAnsweredAlikeOnceNamesAreTakenBack) {
  const TaskCase own = answered(R"(["yes: David Williams.","No","no","Unknown"])");
  EXPECT_EQ(counted(answered(kOriginal), own, {{"John", "David"}, {"Smith", "Williams"}}),
            (Both{{State::kValue, 3, 4, 3}, {State::kValue, 1, 2, 1}}));
  EXPECT_EQ(counted(answered(kOriginal), own), (Both{{State::kValue, 2, 4, 2}, {State::kValue, 0, 2, 0}}));
  EXPECT_EQ(counted(answered(kOriginal), answered(kOriginal)),
            (Both{{State::kValue, 4, 4, 4}, {State::kValue, 2, 2, 2}}));
}

TEST(QaScores, HaveNoShareOfTrueAnswersWhereNoneIsTrue) {
  EXPECT_EQ(counted(answered(R"(["No"])"), answered(R"(["Yes, Ann"])")),
            (Both{{State::kValue, 0, 1, 0}, {State::kNotApplicable, 0, 0, 0}}));
}

TEST(QaScores, CountLostAnswersAsWrong) {
  for (const auto& [own, state] :
       {std::pair(kGaveNone, State::kFailed), std::pair(kNoText, State::kFailed), std::pair(kNotAsked, State::kMissing),
        // Answers to other questions.
        std::pair(answered(R"(["Yes"])"), State::kMissing)}) {
    EXPECT_EQ(counted(answered(kOriginal), own), (Both{{state, 0, 4, 4}, {state, 0, 2, 2}}));
  }
  const TaskCase own = answered(R"(["Yes, David","No"])");
  EXPECT_EQ(counted(kNotAsked, own), (Both{{State::kMissing, 0, 2, 2}, {State::kNotApplicable, 0, 0, 0}}));
  EXPECT_EQ(counted(kGaveNone, own), (Both{{State::kFailed, 0, 2, 2}, {State::kNotApplicable, 0, 0, 0}}));
  EXPECT_EQ(counted(kEmpty, kEmpty)[0].state, State::kNotApplicable);
}

TEST(QaScores, CompareCharactersWhereThereAreNoWords) {
  EXPECT_TRUE(same_answer("?", "?", {}));
  EXPECT_FALSE(same_answer("?", "-", {}));
  EXPECT_FALSE(same_answer("Yes, Ann", "Yes", {}));
  EXPECT_TRUE(is_true("True."));
  EXPECT_FALSE(is_true("Yesterday"));
  EXPECT_FALSE(is_true("Not yes"));
}

}  // namespace
}  // namespace residue::query
