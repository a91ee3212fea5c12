// What an evaluation tells others while it runs, and that it tells the stages in their order.
#include "query/evaluate/running.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "storage/catalog/lookup.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class RunningNow : public QueryStore {};

TEST_F(RunningNow, IsToldAsItWasSaid) {
  EXPECT_TRUE(running_evaluations(store().dir()).empty());
  {
    RunningEvaluation running(store().dir(), "stub");
    EXPECT_TRUE(running_evaluations(store().dir()).empty());
    running.asking(1, 2);  // of nothing that has begun
    EXPECT_TRUE(running_evaluations(store().dir()).empty());
    EvalStep step;
    step.dataset = "d";
    step.run = "r";
    step.protocol = "bm25/first:1/claims";
    step.stage = "links";
    step.done = 3;
    step.total = 10;
    step.whole_done = 3;
    step.whole_total = 40;
    running.step(step);
    const Running one = running_evaluations(store().dir()).at(0);
    EXPECT_EQ(one.step.dataset, "d");
    EXPECT_EQ(one.step.run, "r");
    EXPECT_EQ(one.step.protocol, "bm25/first:1/claims");
    EXPECT_EQ(one.judge, "stub");
    EXPECT_EQ(one.step.stage, "links");
    EXPECT_EQ(one.stage.done, 3U);
    EXPECT_EQ(one.stage.total, 10U);
    EXPECT_FALSE(one.stage.per_second);  // nothing was done yet since it began
    EXPECT_EQ(one.step.whole_done, 3U);
    EXPECT_EQ(one.step.whole_total, 40U);
    EXPECT_FALSE(one.asking);
    EXPECT_LT(one.silent, 10);
    step.stage = "sums";  // another stage is told at once
    step.total.reset();
    running.step(step);
    EXPECT_EQ(running_evaluations(store().dir()).at(0).step.stage, "sums");
    EXPECT_FALSE(running_evaluations(store().dir()).at(0).stage.total);
  }
  EXPECT_TRUE(running_evaluations(store().dir()).empty());
}

TEST_F(RunningNow, StagesComeInTheirOrderAndTheWholeNeverGoesBack) {
  add_records({record("a", "Ann keeps bees. She has two dogs."), record("b", "Bob repairs clocks. He is ill.")});
  add_claims(
      {claims("a", {"Ann keeps bees.", "She has two dogs."}), claims("b", {"Bob repairs clocks.", "He is ill."})});
  add_run("r", {variant("a", "Somebody keeps bees."), variant("b", "A man repairs clocks.")});
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:1")};
  std::vector<EvalStep> steps;
  options.step = [&](const EvalStep& step) { steps.push_back(step); };
  options.progress = [](const std::string&, std::uint64_t, std::optional<std::uint64_t>) {};
  evaluate(store(), {{"d", "r"}}, options);
  std::vector<std::string> stages;
  for (const EvalStep& step : steps) {
    EXPECT_EQ(step.dataset, "d");
    EXPECT_EQ(step.run, "r");
    EXPECT_LE(step.done, step.total.value_or(step.done));
    EXPECT_LE(step.whole_done, step.whole_total);
    if (step.protocol == "bm25/first:1/claims" && (stages.empty() || stages.back() != step.stage))
      stages.push_back(step.stage);
  }
  EXPECT_TRUE(std::ranges::is_sorted(steps, {}, &EvalStep::whole_done));
  ASSERT_GE(stages.size(), 3U);
  EXPECT_EQ(std::vector<std::string>(stages.end() - 3, stages.end()),
            (std::vector<std::string>{"links", "judgments and scores", "sums"}));
  const auto texts = std::ranges::find(steps, "texts", &EvalStep::stage);
  ASSERT_NE(texts, steps.end());
  EXPECT_EQ(texts->protocol, "");
}

TEST_F(RunningNow, SaysThatItWaitsForAnotherEvaluation) {
  add_records({record("a", "Ann keeps bees. She has two dogs.")});
  add_claims({claims("a", {"Ann keeps bees.", "She has two dogs."})});
  add_run("r", {variant("a", "Somebody keeps bees.")});
  const RunId run = storage::find_run(store().db(), "d", "r");
  EvalOptions options;
  options.protocols = {parse_protocol("bm25/first:1")};
  std::vector<EvalStep> steps;
  std::optional<storage::Lock> other = store().lock_run(run);
  options.step = [&](const EvalStep& step) {
    steps.push_back(step);
    other.reset();  // the other one has finished
  };
  options.progress = [](const std::string&, std::uint64_t, std::optional<std::uint64_t>) {};
  evaluate(store(), {{"d", "r"}}, options);
  ASSERT_GE(steps.size(), 2U);
  EXPECT_EQ(steps[0].stage, "waiting for another evaluation of this run");
  EXPECT_EQ(steps[0].run, "r");
  EXPECT_EQ(steps[0].done, 0U);
  EXPECT_EQ(std::ranges::count(steps, steps[0].stage, &EvalStep::stage), 1) << "it waits once";
}

}  // namespace
}  // namespace residue::query::testing
