// Expectations computed by hand, with failures as the worst value.
#include "query/score/task_scores.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/tasks/task.h"

namespace residue::query {
namespace {

TaskCase answered(const char* answer) { return {true, false, true, answer}; }
const TaskCase kGaveNone{true, false, true, std::nullopt};
const TaskCase kNotAsked{true, false, false, std::nullopt};
const TaskCase kNoText{true, true, true, "5"};
const TaskCase kNotApplicable{false, false, true, "5"};

MetricRow mean_of(MetricId metric, const std::vector<Contribution>& all) {
  Aggregate aggregate(definition(metric));
  std::uint64_t unit = 0;
  numbers::Weights weights;
  for (const Contribution& c : all) {
    if (c.metric != metric) continue;
    numbers::draw_weights(++unit, weights);
    aggregate.add(c, weights);
  }
  return aggregate.finish(true).front();
}

void append(std::vector<Contribution>& all, const std::vector<Contribution>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

TEST(ChoiceScores, CountEveryRecordWithAQuestion) {
  std::vector<Contribution> all;
  append(all, choice_scores(answered("B"), 'B'));
  append(all, choice_scores(answered("a, because"), 'A'));
  append(all, choice_scores(answered("C"), 'B'));
  append(all, choice_scores(kGaveNone, 'B'));
  append(all, choice_scores(kNotAsked, 'B'));
  append(all, choice_scores(kNoText, 'B'));
  append(all, choice_scores(answered("B"), std::nullopt));
  append(all, choice_scores(kNotApplicable, 'B'));
  const MetricRow row = mean_of(MetricId::kTaskAccuracy, all);
  EXPECT_EQ(row.n, 3);
  EXPECT_EQ(row.failed, 2);
  EXPECT_EQ(row.missing, 1);
  EXPECT_EQ(row.not_applicable, 2);
  EXPECT_DOUBLE_EQ(*row.value, 2.0 / 6);
  EXPECT_DOUBLE_EQ(*row.if_private, 5.0 / 6);
  EXPECT_DOUBLE_EQ(*row.drop_value, 2.0 / 3);
}

TEST(CoherenceScores, AreOnTheirOwnScale) {
  std::vector<Contribution> all;
  for (const char* rating : {"5", "4", "2"}) append(all, coherence_scores(answered(rating)));
  EXPECT_DOUBLE_EQ(*mean_of(MetricId::kCoherence, all).value, 11.0 / 3);
  append(all, coherence_scores(kGaveNone));
  append(all, coherence_scores(kNoText));
  const MetricRow row = mean_of(MetricId::kCoherence, all);
  EXPECT_DOUBLE_EQ(*row.value, (5.0 + 4 + 2 + 1 + 1) / 5);
  EXPECT_DOUBLE_EQ(*row.if_private, (5.0 + 4 + 2 + 5 + 5) / 5);
  EXPECT_DOUBLE_EQ(*row.drop_value, 11.0 / 3);
  EXPECT_EQ(row.failed, 2);
}

TEST(UtilityScores, AreSharesOfTheirScalesAndCombineWithTheOverlap) {
  const TaskCase judged = answered(R"({"hallucination":1,"meaning":7,"readability":9})");
  std::vector<Contribution> all;
  append(all, utility_scores(judged, kOne / 2));
  const auto value = [&](MetricId id) { return *mean_of(id, all).value; };
  EXPECT_NEAR(value(MetricId::kReadability), 0.9, 1e-9);
  EXPECT_NEAR(value(MetricId::kMeaning), 0.7, 1e-9);
  EXPECT_EQ(value(MetricId::kNoHallucination), 1);
  EXPECT_NEAR(value(MetricId::kUtilityCombined), (0.9 + 0.7 + 0.5) / 3, 1e-9);
  // A judgment that failed: the lowest scores; the overlap is known.
  append(all, utility_scores(kGaveNone, kOne / 2));
  EXPECT_NEAR(value(MetricId::kReadability), (0.9 + 0.1) / 2, 1e-9);
  EXPECT_EQ(value(MetricId::kNoHallucination), 0.5);
  EXPECT_NEAR(value(MetricId::kUtilityCombined), (0.7 + (0.1 + 0.1 + 0.5) / 3) / 2, 1e-9);
  EXPECT_NEAR(*mean_of(MetricId::kUtilityCombined, all).if_private, (0.7 + (1 + 1 + 0.5) / 3) / 2, 1e-9);
  // A text that failed has none of it.
  append(all, utility_scores(kNoText, 0));
  EXPECT_NEAR(value(MetricId::kUtilityCombined), (0.7 + 0.7 / 3 + 0.2 / 3) / 3, 1e-9);
  EXPECT_NEAR(*mean_of(MetricId::kUtilityCombined, all).if_private, (0.7 + 2.5 / 3 + 1) / 3, 1e-9);
  // Without a word that ROUGE sees there is no mean of three.
  append(all, utility_scores(judged, std::nullopt));
  EXPECT_EQ(mean_of(MetricId::kUtilityCombined, all).not_applicable, 1);
  EXPECT_EQ(mean_of(MetricId::kReadability, all).n, 2);
}

std::vector<Weighted> records(const std::vector<std::pair<TaskCase, TaskCase>>& pairs) {
  std::vector<Weighted> all;
  for (const auto& [original, own] : pairs) all.push_back({conversation_scores(original, own).front(), all.size() + 1});
  return all;
}

TaskCase category(std::size_t i) { return {true, false, true, std::string(model::conversation_categories()[i])}; }

// The example below with half as many texts, of which none is anybody's: the same shares, the same distance.
TEST(ConversationScores, HoldTextsOfNobodyAgainstAllOriginals) {
  std::vector<Weighted> all;
  for (const std::size_t i : {0, 0, 0, 0, 0, 0, 1, 1, 1, 2}) {
    all.push_back({original_scores(category(i)).front(), all.size() + 1});
  }
  for (const std::size_t i : {0, 0, 1, 1, 2}) all.push_back({text_scores(category(i)).front(), all.size() + 1});
  const double u = 10.0 / 21;
  const auto part = [](double o, double s) { return (o - s) * (o - s) / (o + s); };
  const double most = part(6, u) + part(3, u) + part(1, u) + 18 * u;
  const MetricRow row = category_row(all);
  EXPECT_DOUBLE_EQ(*row.value, 1 - (part(6, 4) + part(3, 4) + part(1, 2)) / most);
  EXPECT_EQ(row.n, 5) << "texts are counted, not what they are held against";
  EXPECT_EQ(row.failed + row.missing + row.not_applicable, 0);
  // A text without a category is lost; so is an original, whatever became of it.
  all.push_back({text_scores(kGaveNone).front(), all.size() + 1});
  const MetricRow lost = category_row(all);
  EXPECT_LT(*lost.value, *row.value);
  EXPECT_EQ(lost.failed, 1);
  EXPECT_EQ(*lost.drop_value, *row.value);
  all.back() = {original_scores(kGaveNone).front(), all.size()};
  const MetricRow unknown = category_row(all);
  EXPECT_EQ(*unknown.value, *lost.value);
  EXPECT_EQ(unknown.missing, 1);
  EXPECT_EQ(unknown.failed, 0);
  // Of no original: nothing to be held against.
  const MetricRow alone =
      category_row({{text_scores(category(1)).front(), 1}, {original_scores(kNotAsked).front(), 2}});
  EXPECT_FALSE(alone.value);
}

// Worked by hand, over the paper's 21 categories: o = (6, 3, 1), s = (4, 4, 2) of ten records.
TEST(ConversationScores, CompareDistributionsOverTheWholeList) {
  std::vector<std::pair<TaskCase, TaskCase>> pairs;
  const std::size_t original[] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 2}, own[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
  for (std::size_t i = 0; i < 10; ++i) pairs.emplace_back(category(original[i]), category(own[i]));
  const MetricRow row = category_row(records(pairs));
  const double u = 10.0 / 21;
  const auto part = [](double o, double s) { return (o - s) * (o - s) / (o + s); };
  const double most = part(6, u) + part(3, u) + part(1, u) + 18 * u;
  const double distance = 4.0 / 10 + 1.0 / 7 + 1.0 / 3;
  EXPECT_DOUBLE_EQ(*row.value, 1 - distance / most);
  EXPECT_EQ(row.n, 10);
  EXPECT_EQ(*row.drop_value, *row.value);
  EXPECT_LE(*row.low, *row.value);
  EXPECT_GE(*row.high, *row.value);
  // Of the last record nobody knows what it is about: 0.333 of the distance becomes 1/2 + 1 (a category of its own).
  pairs.back().second = kGaveNone;
  const MetricRow lost = category_row(records(pairs));
  EXPECT_DOUBLE_EQ(*lost.value, 1 - (4.0 / 10 + 1.0 / 7 + 0 + 1) / most);
  EXPECT_EQ(lost.failed, 1);
  // At best it is the third category again, which its original is... the second, or the first: 4 -> 5 of 6 is nearest.
  EXPECT_DOUBLE_EQ(*lost.if_private, 1 - (part(6, 5) + part(3, 4) + part(1, 1)) / most);
  // Without it: o = (6, 3), s = (4, 4, 1), nine records each.
  const double nine = 9.0 / 21;
  EXPECT_DOUBLE_EQ(*lost.drop_value, 1 - (part(6, 4) + part(3, 4) + 1) / (part(6, nine) + part(3, nine) + 19 * nine));
}

TEST(ConversationScores, SayNothingWhereOriginalsAreUniform) {
  std::vector<std::pair<TaskCase, TaskCase>> pairs;
  for (std::size_t i = 0; i < 21; ++i) pairs.emplace_back(category(i), category(i / 2));
  pairs.emplace_back(kNotApplicable, kNotApplicable);
  const MetricRow row = category_row(records(pairs));
  EXPECT_EQ(row.value, std::nullopt);
  EXPECT_EQ(row.low, std::nullopt);
  EXPECT_EQ(row.drop_low, std::nullopt);
  EXPECT_EQ(row.if_private, std::nullopt);
  EXPECT_EQ(row.n, 0);
  EXPECT_EQ(row.not_applicable, 22);
  EXPECT_NE(row.reason, "");
}

// Nearly uniform originals: 1 - chi2(o, s) / (something tiny). No replicate is as near to uniform.
TEST(ConversationScores, HaveNoIntervalBesideTheValue) {
  std::vector<std::pair<TaskCase, TaskCase>> pairs;
  for (std::size_t i = 0; i < 22; ++i) pairs.emplace_back(category(i % 21), category(0));
  const MetricRow row = category_row(records(pairs));
  EXPECT_LT(*row.value, -20);
  EXPECT_EQ(row.low, std::nullopt);
  EXPECT_EQ(row.high, std::nullopt);
  EXPECT_EQ(row.n, 22);
  EXPECT_EQ(row.reason, "");
  EXPECT_EQ(definition(MetricId::kCategoryPreservation).low, -std::numeric_limits<double>::infinity());
}

TEST(ConversationScores, NeedBothCategories) {
  const auto state = [](const TaskCase& original, const TaskCase& own) {
    return conversation_scores(original, own).front().state;
  };
  EXPECT_EQ(state(category(0), category(1)), State::kValue);
  EXPECT_EQ(state(category(0), kGaveNone), State::kFailed);
  EXPECT_EQ(state(category(0), kNoText), State::kFailed);
  EXPECT_EQ(state(category(0), kNotAsked), State::kMissing);
  EXPECT_EQ(state(kGaveNone, category(1)), State::kMissing);
  EXPECT_EQ(state(kNotAsked, category(1)), State::kMissing);
  EXPECT_EQ(state(kNotApplicable, kNotApplicable), State::kNotApplicable);
  // The originals were not asked about: nothing to compare with, and no number.
  const MetricRow row = category_row(records({{kNotAsked, category(1)}, {kNotAsked, category(1)}}));
  EXPECT_EQ(row.value, std::nullopt);
  EXPECT_EQ(row.missing, 2);
}

}  // namespace
}  // namespace residue::query
