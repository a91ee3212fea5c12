// atomize: by the embedded atomizer or by a model, of a dataset or of a run.
#include "verbs/bring_in/atomize.h"

#include <string>
#include <vector>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

using Atomize = AskingStore;
using Lines = std::vector<std::string>;

constexpr const char* kClaims =
    "SELECT s.name, r.key, c.n, c.text_id AS 'T' FROM claim c JOIN record r ON r.id = c.record_id JOIN claim_set s ON "
    "s.id = c.claim_set_id ORDER BY 1, 2, 3";

TEST_F(Atomize, AsksNobodyByDefault) {
  AtomizeOptions options;
  options.target.dataset = "d";
  std::vector<std::uint64_t> told;
  options.asking.progress = [&](std::uint64_t done, auto) { told.push_back(done); };
  const Asked made = atomize(store(), options);
  EXPECT_EQ(made.result.counts.fresh, 2U);
  EXPECT_FALSE(made.asked);
  EXPECT_FALSE(told.empty());
  EXPECT_EQ(server_.requests(), 0U);
  EXPECT_EQ(rows(kClaims).size(), 4U);
  EXPECT_EQ(rows(kClaims).front(), "sentences|a|1|Ann, 45, keeps bees.");
}

TEST_F(Atomize, AsksTheModelThatIsNamed) {
  AtomizeOptions options;
  options.target.dataset = "d";
  options.with = "local";
  options.set = "mine";
  EXPECT_EQ(claim_set_of(options), "mine");
  const Asked made = atomize(store(), options);
  EXPECT_EQ(made.result.counts.fresh, 2U);
  ASSERT_TRUE(made.asked);
  EXPECT_EQ(made.asked->saved, 2U);
  EXPECT_EQ(rows("SELECT name FROM claim_set"), Lines{"mine"});
  options.set = "";
  options.asking.max_calls = 0;
  EXPECT_EQ(claim_set_of(options), "local");
  EXPECT_EQ(atomize(store(), options).asked->requests, 0U) << "what was answered is not asked again";
  options.instructions = "Split as the handbook says.";
  EXPECT_EQ(ended_with([&] { atomize(store(), options); }).first, 75) << "other instructions, but nothing may be spent";
}

TEST_F(Atomize, SplitsTheTextsOfARun) {
  add_run("r", "Somebody keeps bees.", "A man is ill.");
  AtomizeOptions options;
  options.target = {"d", "r"};
  EXPECT_EQ(atomize(store(), options).result.counts.fresh, 2U);
  EXPECT_TRUE(rows(kClaims).empty()) << "of the dataset itself there are none";
}

TEST_F(Atomize, StopsWhenItIsInterrupted) {
  AtomizeOptions options;
  options.target.dataset = "d";
  options.asking.interrupted = [] { return true; };
  EXPECT_EQ(ended_with([&] { atomize(store(), options); }).first, 130);
}

TEST_F(Atomize, RefusesWhatTheEmbeddedAtomizerHasNoUseFor) {
  AtomizeOptions options;
  options.target.dataset = "d";
  options.instructions = "Split.";
  EXPECT_EQ(ended_with([&] { check(options); }).second,
            "the embedded atomizer reads no instructions: --template means nothing to it");
  options.instructions.reset();
  options.asking.max_cost = 1;
  EXPECT_EQ(ended_with([&] { atomize(store(), options); }).second,
            "the embedded atomizer asks nobody: it has no budget");
  options.asking.max_cost.reset();
  options.with = "nobody";
  EXPECT_EQ(ended_with([&] { atomize(store(), options); }).first, 3);
}

}  // namespace
}  // namespace residue::verbs
