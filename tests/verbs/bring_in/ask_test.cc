// ask: a task by its words, about a run or all runs; what would be sent; guesses that are judged.
#include "verbs/bring_in/ask.h"

#include <string>
#include <vector>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

using model::TaskKind;

class Ask : public AskingStore {
 protected:
  Ask() {
    options_.target.dataset = "d";
    options_.with = "local";
  }
  void set(TaskKind kind) { options_.task = {kind, model::default_items(kind), std::nullopt}; }

  AskOptions options_;
};

TEST_F(Ask, KnowsTasksByTheirWords) {
  EXPECT_EQ(task_of_words("qa"), TaskKind::kQuestions);
  EXPECT_EQ(task_of_words("coherence", "chat"), TaskKind::kCoherenceChat);
  EXPECT_EQ(ended_with([] { task_of_words("coherence"); }).second, "--task coherence: of what kind are the texts?");
  EXPECT_EQ(ended_with([] { task_of_words("qa", "chat"); }).second, "--kind means nothing to --task qa");
  EXPECT_EQ(ended_with([] { task_of_words("anonymize"); }).second, "there is no such task");
}

TEST_F(Ask, SaysWhatItWouldSendThenSendsIt) {
  add_run("r", "Somebody keeps bees.", "A man is ill.");
  set(TaskKind::kCategory);
  options_.dry_run = true;
  const AskResult planned = ask(store(), options_);
  ASSERT_TRUE(planned.planned);
  EXPECT_FALSE(planned.asked);
  EXPECT_EQ(planned.planned->needed, 4U) << "of the originals and of the run";
  EXPECT_EQ(planned.planned->requests, 4U);
  EXPECT_GT(planned.planned->tokens, 0U);
  EXPECT_GT(planned.planned->cost_usd, 0);
  EXPECT_FALSE(planned.planned->more);
  ASSERT_EQ(planned.planned->egress.size(), 1U);
  EXPECT_TRUE(planned.planned->egress.front().loopback);
  EXPECT_EQ(planned.planned->egress.front().texts, 4U);
  EXPECT_EQ(server_.requests(), 0U);

  options_.dry_run = false;
  options_.as = "me";
  const AskResult asked = ask(store(), options_);
  EXPECT_EQ(asked.result.counts.fresh, 4U);
  EXPECT_EQ(asked.asked->saved, 4U);
  EXPECT_EQ(rows("SELECT DISTINCT model, task FROM task_answer"), std::vector<std::string>{"me|category"});
  options_.target.run = "r";
  options_.dry_run = true;
  EXPECT_EQ(ask(store(), options_).planned->known, 2U);
}

TEST_F(Ask, CountsWhatARestorerMayBeAskedBesides) {
  set(TaskKind::kRespond);
  options_.restore_with = "local";
  options_.dry_run = true;
  EXPECT_EQ(ask(store(), options_).planned->more, 2U);
}

TEST_F(Ask, JudgesGuesses) {
  set(TaskKind::kAttributes);
  ask(store(), options_);
  set(TaskKind::kSameEntity);
  EXPECT_EQ(ended_with([&] { check(options_); }).second, "--task same_entity: whose guesses?");
  options_.of = "local";
  options_.as = "me";
  EXPECT_EQ(ended_with([&] { check(options_); }).second, "--as means nothing to --task same_entity");
  options_.as = "";
  const AskResult judged = ask(store(), options_);
  EXPECT_EQ(judged.asked->requests, 0U) << "there are no labels";
  options_.of = "nobody";
  EXPECT_EQ(ended_with([&] { ask(store(), options_); }).first, 3);
}

TEST_F(Ask, RefusesWhatMeansNothingToTheTask) {
  set(TaskKind::kCoherenceMedical);
  options_.of = "local";
  EXPECT_EQ(ended_with([&] { ask(store(), options_); }).second, "--of means nothing to --task coherence");
  options_.of = "";
  options_.restore_with = "local";
  EXPECT_EQ(ended_with([&] { ask(store(), options_); }).second, "--restore-with means nothing to --task coherence");
  options_.restore_with = "";
  set(TaskKind::kUtility);
  EXPECT_EQ(ended_with([&] { ask(store(), options_); }),
            (std::pair<int, std::string>{3, "dataset d has no run whose texts can be compared with the originals"}));
  set(TaskKind::kRelevance);
  EXPECT_EQ(ended_with([&] { ask(store(), options_); }).first, 2) << "no entity is known";
  EXPECT_EQ(server_.requests(), 0U);
}

}  // namespace
}  // namespace residue::verbs
