// Expectations computed by hand: LOP Table 3.
#include "query/score/response_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>

namespace residue::query {
namespace {

TaskCase answered(const char* answer) { return {true, false, true, answer}; }
const TaskCase kGaveNone{true, false, true, std::nullopt};
const TaskCase kNotAsked{true, false, false, std::nullopt};
const TaskCase kNoText{true, true, false, std::nullopt};

std::map<MetricId, Contribution> scores(const TaskCase& original, const TaskCase& own) {
  text::RougeTokenizer tokenizer(true);
  std::map<MetricId, Contribution> all;
  for (const Contribution& c : response_scores(original, own, tokenizer)) all[c.metric] = c;
  return all;
}
double value(const Contribution& c) { return static_cast<double>(c.num) / static_cast<double>(kOne); }

const TaskCase kReference = answered(R"({"response":"Ann should drink hot tea daily"})");

TEST(ResponseScores, CompareTheRestoredText) {
  const auto all = scores(
      kReference, answered(R"({"response":"Ruth should drink tea daily","restored":"Ann should drink tea daily"})"));
  ASSERT_EQ(all.size(), 7U);
  // 5 words against 6, all 5 of them in common; 3 pairs of 4 and 5; 5 in order.
  EXPECT_NEAR(value(all.at(MetricId::kResponseRouge1F)), 10.0 / 11, 1e-9);
  EXPECT_NEAR(value(all.at(MetricId::kResponseRouge2F)), 6.0 / 9, 1e-9);
  EXPECT_NEAR(value(all.at(MetricId::kResponseRougeLF)), 10.0 / 11, 1e-9);
  const double brevity = std::exp(1 - 6.0 / 5);
  EXPECT_NEAR(value(all.at(MetricId::kResponseBleu1)), brevity, 1e-9);
  EXPECT_NEAR(value(all.at(MetricId::kResponseBleu2)), brevity * std::sqrt(3.0 / 4), 1e-9);
  EXPECT_NEAR(value(all.at(MetricId::kResponseBleu3)), brevity * std::cbrt(3.0 / 4 * 1 / 3), 1e-9);
}

TEST(ResponseScores, TakeTheResponseWhereNothingWasRestored) {
  const auto all = scores(kReference, answered(R"({"response":"Ruth should drink hot tea daily"})"));
  EXPECT_NEAR(value(all.at(MetricId::kResponseRouge1F)), 5.0 / 6, 1e-9);
  EXPECT_EQ(scores(kReference, kReference).at(MetricId::kResponseBleu4).num, kOne);
}

TEST(ResponseScores, AreLostWhereEitherResponseIs) {
  const struct {
    TaskCase original, own;
    State state;
  } cases[] = {{kReference, kGaveNone, State::kFailed},
               {kReference, kNoText, State::kFailed},
               {kReference, kNotAsked, State::kMissing},
               {kNotAsked, kReference, State::kMissing},
               {kGaveNone, kReference, State::kFailed}};
  for (const auto& one : cases) {
    for (const auto& [metric, c] : scores(one.original, one.own)) {
      EXPECT_EQ(c.state, one.state);
      EXPECT_EQ(c.num, 0);
      EXPECT_EQ(c.best, kOne);
      EXPECT_EQ(c.den, 1);
    }
  }
}

TEST(ResponseScores, HaveNoRougeOfWordsThatItDoesNotSee) {
  const auto all = scores(answered(R"({"response":"日本"})"), answered(R"({"response":"日本"})"));
  EXPECT_EQ(all.at(MetricId::kResponseRouge1F).state, State::kNotApplicable);
  EXPECT_EQ(all.at(MetricId::kResponseBleu1).state, State::kValue);
}

}  // namespace
}  // namespace residue::query
