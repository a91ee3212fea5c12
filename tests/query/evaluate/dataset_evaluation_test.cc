#include "query/evaluate/dataset_evaluation.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "query/judge/judging.h"
#include "query/judge/open_judge.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class DatasetEvaluationTest : public QueryStore {
 protected:
  DatasetEvaluationTest() {
    add_many(0, 6);
    add_run("r", {variant("r0", text_of(0)), variant("r1", "w2x0 common0")});
    options_.protocols = {parse_protocol("bm25/first:2")};
    judge_ = open_judge(store(), "lexical", "d", nullptr);
  }

  DatasetEvaluation of(const std::string& run) {
    return {store(), "d", {{"d", run}}, options_, *judge_, register_judge(store(), *judge_)};
  }
  EvalCounts evaluated(const std::string& run) {
    EvalCounts counts;
    of(run).evaluate(counts);
    return counts;
  }
  EvalPlan planned(const std::string& run) {
    EvalPlan plan;
    of(run).plan(plan);
    return plan;
  }

  EvalOptions options_;
  std::unique_ptr<Judge> judge_;
};

TEST_F(DatasetEvaluationTest, DoesWhatItPlansAndThenNothing) {
  const EvalPlan before = planned("r");
  EXPECT_EQ(before.counts.evaluations, 3U);  // the attacker and both controls
  EXPECT_EQ(before.counts.current, 0U);
  EXPECT_FALSE(before.exact);
  const EvalCounts done = evaluated("r");
  EXPECT_EQ(done.links, before.counts.links);
  EXPECT_EQ(done.links_searched, before.counts.links_searched);
  EXPECT_LE(done.rated, before.counts.rated);
  EXPECT_EQ(planned("r").counts.current, 3U);
  EXPECT_TRUE(planned("r").exact);
  EXPECT_EQ(evaluated("r").links, 0U);
}

TEST_F(DatasetEvaluationTest, TakesASampleOfAllRecordsForNone) {
  options_.sample = 6;
  EXPECT_EQ(evaluated("r").sample, 0U);
  options_.sample = 5;
  EXPECT_EQ(evaluated("r").sample, 5U);
}

TEST_F(DatasetEvaluationTest, AsksNoOracleAboutASyntheticRun) {
  add_run("made", {variant("s0", text_of(0))}, true);
  EXPECT_EQ(planned("made").counts.evaluations, 2U);
  EXPECT_EQ(evaluated("made").evaluations, 2U);
}

}  // namespace
}  // namespace residue::query::testing
