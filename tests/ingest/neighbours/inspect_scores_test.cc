// Scores of inspect_ai's logs as judgments, and their outputs as answers.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/neighbours/inspect.h"
#include "tests/ingest/neighbours/neighbour_files.h"

namespace residue::ingest {
namespace {

using testing::answers_of;
using testing::judgments_of;
using Strings = std::vector<std::string>;

std::string log_of(const std::string& samples) {
  return R"({"version": 2, "status": "success", "eval": {"task": "claims", "model": "openai/gpt-4o"}, "samples": [)" +
         samples + "]}";
}

std::string judged(const std::string& value, int epoch = 1) {
  return R"({"id": 1, "epoch": )" + std::to_string(epoch) +
         R"(, "metadata": {"claim": "Ann is 45.", "passage": "A woman."}, "scores": {"rating": {"value": )" + value +
         "}}}";
}

TEST(InspectJudgments, AreScoresOfClaimsAndPassages) {
  const auto read = judgments_of(log_of(judged("1") + "," + judged("\"P\"", 2) + "," + judged("3.0", 3)), "inspect");
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_EQ(read.rows[0].judge, "openai/gpt-4o/claims/rating");
  EXPECT_EQ(read.rows[0].claim, "Ann is 45.");
  EXPECT_EQ(read.rows[0].passage, "A woman.");
  EXPECT_FALSE(read.rows[0].run);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.rows[i].rating, i + 1);
    EXPECT_EQ(read.rows[i].sample, i);
  }
}

TEST(InspectJudgments, HaveLettersThatMeanTheSameOnAnyScale) {
  for (const bool reversed : {false, true}) {
    JudgmentSourceOptions options;
    options.reversed_scale = reversed;
    const auto read =
        judgments_of(log_of(judged("\"C\"") + "," + judged("\"I\"") + "," + judged("1")), "inspect", options);
    ASSERT_EQ(read.rows.size(), 3U);
    EXPECT_EQ(read.rows[0].rating, 1);
    EXPECT_EQ(read.rows[1].rating, 3);
    EXPECT_EQ(read.rows[2].rating, reversed ? 3 : 1);
  }
}

TEST(InspectJudgments, CountSamplesWithoutARating) {
  const auto read = judgments_of(
      log_of(judged("1") + "," + judged("NaN") + "," + judged("\"N\"") + R"(,{"id": 2, "error": {"message": "x"}},)" +
             R"({"id": 3, "scores": {}}, {"id": 4, "invalidation": {}, "scores": {"rating": {"value": 1}}})"),
      "inspect");
  EXPECT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.notes, Strings{"5 of 6 samples have no rating: 1 times an error, 1 times invalidated, "
                                "1 times no answer (N), 2 times no score"});
  const auto none = judgments_of(log_of(judged("NaN")), "inspect");
  EXPECT_EQ(none.code, 6);
  EXPECT_EQ(none.error, "none of the 1 samples of FILE has a rating: 1 times no score");
}

TEST(InspectJudgments, RefuseScoresThatAreNoRatings) {
  for (const char* value : {"0", "4", "0.5", "\"maybe\"", "[1]", "{\"a\": 1}", "true"}) {
    SCOPED_TRACE(value);
    EXPECT_EQ(judgments_of(log_of(judged(value)), "inspect").bad.size(), 1U);
  }
}

TEST(InspectJudgments, ReadFieldsFromTheirPlaces) {
  JudgmentSourceOptions options;
  options.map = {{"claim", "id"}, {"rating", "output.completion"}};
  options.run = "azure";
  options.judge = "gpt-4o/p2";
  const auto read =
      judgments_of(log_of(R"({"id": "r-1#2", "epoch": 1, "output": {"completion": "2"}})"), "inspect", options);
  ASSERT_EQ(read.bad.size(), 1U);  // a string is no rating
  options.map["rating"] = "scores.s.value";
  const auto good = judgments_of(
      log_of(R"({"id": "r-1#2", "epoch": 1, "scores": {"s": {"value": 2}, "t": {"value": 1}}})"), "inspect", options);
  ASSERT_EQ(good.rows.size(), 1U);
  EXPECT_EQ(good.rows[0].judge, "gpt-4o/p2");
  EXPECT_EQ(good.rows[0].claim, "r-1");
  EXPECT_EQ(good.rows[0].n, 2U);
  EXPECT_EQ(good.rows[0].run, "azure");
  EXPECT_EQ(good.rows[0].rating, 2);
}

TEST(InspectJudgments, WantOneScorerToBeChosen) {
  const std::string log = log_of(
      R"({"id": 1, "metadata": {"claim": "c", "passage": "p"}, "scores": {"a": {"value": 1}, "b": {"value": 2}}})");
  const auto all = judgments_of(log, "inspect");
  EXPECT_EQ(all.code, 2);
  EXPECT_EQ(all.error, "FILE has scores by 2 scorers");
  EXPECT_EQ(all.hint, "choose one with --scorer NAME: a, b");
  JudgmentSourceOptions options;
  options.scorer = "b";
  EXPECT_EQ(judgments_of(log, "inspect", options).rows.at(0).rating, 2);
  options.scorer = "c";
  EXPECT_EQ(judgments_of(log, "inspect", options).code, 2);
}

TEST(InspectJudgments, RefuseSamplesWithoutClaimOrPassage) {
  const auto read = judgments_of(log_of(R"({"id": 1, "scores": {"a": {"value": 1}}},)"
                                        R"({"id": 1, "metadata": {"claim": "c"}, "scores": {"a": {"value": 1}}})"),
                                 "inspect");
  ASSERT_EQ(read.bad.size(), 2U);
  EXPECT_EQ(read.bad[0].cause, "field \"claim\" is missing");
  EXPECT_EQ(read.bad[1].cause, "field \"passage\" is missing");
}

std::string answered(const std::string& rest, int epoch = 1) {
  return R"({"id": "r-1", "epoch": )" + std::to_string(epoch) + R"(, "output": {"completion": "ANSWER: B"})" + rest +
         "}";
}

AnswerSourceOptions choice() {
  AnswerSourceOptions options;
  options.task = "choice";
  options.run = "none";
  return options;
}

TEST(InspectAnswers, AreWhatTheScorerFound) {
  const auto read =
      answers_of(log_of(answered(R"(, "scores": {"choice": {"value": "C", "answer": "B"}})")), "inspect", choice());
  EXPECT_EQ(read.error, "");
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].model, "openai/gpt-4o");
  EXPECT_EQ(read.rows[0].task, "choice");
  EXPECT_EQ(read.rows[0].record, "r-1");
  EXPECT_EQ(read.rows[0].run, "none");
  EXPECT_EQ(read.rows[0].answer, "B");
}

TEST(InspectAnswers, AreNoneWhereTheSampleFailed) {
  const auto read =
      answers_of(log_of(answered(R"(, "scores": {"choice": {"value": "C", "answer": "B"}})") +
                        R"(,{"id": "r-2", "error": {"message": "x"}},)" +
                        R"({"id": "r-3", "output": {"completion": "?"}, "scores": {"choice": {"value": "I"}}})"),
                 "inspect", choice());
  ASSERT_EQ(read.rows.size(), 3U);
  EXPECT_FALSE(read.rows[1].answer);
  EXPECT_FALSE(read.rows[2].answer);
  EXPECT_EQ(read.notes, Strings{"2 of 3 samples have no answer: 1 times an error, 1 times no answer in their score"});
}

TEST(InspectAnswers, AreOutputsOfOtherTasks) {
  AnswerSourceOptions options;
  options.task = "response";
  options.map["run"] = "metadata.run";
  options.model = "mine";
  const auto read = answers_of(log_of(answered(R"(, "metadata": {"run": "azure"})")), "inspect", options);
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].run, "azure");
  EXPECT_EQ(read.rows[0].model, "mine");
  EXPECT_EQ(read.rows[0].answer, R"({"response":"ANSWER: B"})");
}

TEST(InspectAnswers, NeverTakeTheFirstLetterOfAnyWord) {
  const auto read = answers_of(log_of(answered("")), "inspect", choice());
  EXPECT_EQ(read.code, 2);
  EXPECT_EQ(read.error, "FILE has samples without a score, which would say the choice");
}

TEST(InspectAnswers, WantTaskRunAndEpoch) {
  EXPECT_EQ(answers_of(log_of(""), "inspect", {}).error, "which task do the answers belong to?");
  AnswerSourceOptions options;
  options.task = "qa";
  EXPECT_EQ(answers_of(log_of(""), "inspect", options).error, "the texts of which run did the model read?");
  options.task = "attributes";
  EXPECT_EQ(answers_of(log_of(""), "inspect", options).code, 2);
  options.task = "qa";
  options.run = "none";
  EXPECT_EQ(answers_of(log_of(answered("", 1) + "," + answered("", 2)), "inspect", options).error,
            "FILE has samples of 2 values of epoch: 1, 2");
}

TEST(OrdinaryRows, MayLackWhatAFlagSays) {
  AnswerSourceOptions answers;
  answers.task = "choice";
  answers.model = "m";
  answers.run = "none";
  const auto read = answers_of(R"({"record": "r", "answer": "B"})"
                               "\n"
                               R"({"record": "s", "answer": "C", "model": "n", "run": "x"})",
                               "", answers);
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].model + read.rows[0].task + read.rows[0].run, "mchoicenone");
  EXPECT_EQ(read.rows[1].model + read.rows[1].run, "nx");
  JudgmentSourceOptions judgments;
  judgments.judge = "j";
  judgments.run = "x";
  const auto rated = judgments_of(R"({"claim": "r#1", "rating": 1})"
                                  "\n"
                                  R"({"claim": "c", "passage": "p", "rating": 2, "judge": "k"})",
                                  "", judgments);
  ASSERT_EQ(rated.rows.size(), 2U);
  EXPECT_EQ(rated.rows[0].judge, "j");
  EXPECT_EQ(rated.rows[0].run, "x");
  EXPECT_EQ(rated.rows[1].judge, "k");
  EXPECT_EQ(rated.rows[1].passage, "p");
  judgments.scorer = "s";
  EXPECT_EQ(judgments_of("{}", "", judgments).code, 2);
}

}  // namespace
}  // namespace residue::ingest
