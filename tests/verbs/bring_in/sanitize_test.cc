// sanitize: one run or a sweep, by a method that asks nobody or by one that asks.
#include "verbs/bring_in/sanitize.h"

#include <string>
#include <vector>

#include "tests/verbs/asking_store.h"

namespace residue::verbs {
namespace {

using Lines = std::vector<std::string>;

class Sanitize : public AskingStore {
 protected:
  Sanitize() {
    options_.dataset = "d";
    options_.run = "r";
  }
  Lines runs() { return rows("SELECT name FROM run WHERE kind IN ('aligned', 'synthetic') ORDER BY name"); }

  SanitizeOptions options_;
};

TEST_F(Sanitize, MakesARun) {
  options_.plan.method = "scrub";
  std::uint64_t told = 0;
  options_.asking.progress = [&](std::uint64_t done, auto) { told = done; };
  const SanitizeResult made = sanitize(store(), options_);
  EXPECT_EQ(made.result.counts.fresh, 2U);
  EXPECT_EQ(made.runs, Lines{"r"});
  EXPECT_FALSE(made.asked);
  EXPECT_FALSE(made.planned);
  EXPECT_EQ(told, 2U) << "records";
  EXPECT_EQ(sanitize(store(), options_).result.counts.same, 2U);
}

TEST_F(Sanitize, MakesARunForEachValueOrNone) {
  options_.plan.method = "random-mask";
  options_.sweep = Sweep{"rate", {"0.3", "7"}};
  EXPECT_EQ(ended_with([&] { sanitize(store(), options_); }).first, 2);
  EXPECT_EQ(runs(), Lines()) << "the second value is none, and it was looked at first";
  options_.sweep->values = {"0.3", "0.7"};
  const SanitizeResult made = sanitize(store(), options_);
  EXPECT_EQ(made.runs, (Lines{"r@0.3", "r@0.7"}));
  EXPECT_EQ(made.result.counts.fresh, 4U);
  EXPECT_EQ(rows("SELECT DISTINCT grp FROM run WHERE name LIKE 'r@%'"), Lines{"r"}) << "reported together";
  options_.sweep->values = {"0.5"};
  EXPECT_EQ(sanitize(store(), options_).runs, Lines{"r@0.5"});
}

TEST_F(Sanitize, AnnouncesWhichRunItSpeaksOf) {
  std::vector<ingest::RecordRow> records(60);  // enough to learn words from under a budget
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].key = std::to_string(i);
    records[i].text = "Ann keeps bees and sings.";
  }
  DatasetOptions many;
  many.dataset = "many";
  many.rows = records;
  ingest_dataset(store(), many);
  options_.dataset = "many";
  options_.plan.method = "dp-ngram";
  options_.plan.params = {{"code", "none"}, {"contribution", "10"}, {"texts", "2"}};
  options_.sweep = Sweep{"epsilon", {"64", "32"}};
  Lines said;
  options_.plan.announce = [&](const std::string& line) { said.push_back(line.substr(0, line.find(": "))); };
  EXPECT_EQ(sanitize(store(), options_).runs, (Lines{"r@64", "r@32"}));
  EXPECT_EQ(said, (Lines{"r@64", "r@32"}));
}

TEST_F(Sanitize, AsksAModelAndSaysFirstWhatItWouldSend) {
  options_.plan.method = "paraphrase";
  options_.plan.asking.model = "local";
  options_.dry_run = true;
  const SanitizeResult planned = sanitize(store(), options_);
  ASSERT_TRUE(planned.planned);
  EXPECT_EQ(planned.planned->requests, 2U);
  EXPECT_TRUE(planned.runs.empty());
  EXPECT_EQ(server_.requests(), 0U);
  options_.dry_run = false;
  options_.asking.max_calls = 1;
  EXPECT_EQ(ended_with([&] { sanitize(store(), options_); }).first, 75);
  options_.asking.max_calls.reset();
  const SanitizeResult made = sanitize(store(), options_);
  EXPECT_EQ(made.runs, Lines{"r"});
  ASSERT_TRUE(made.asked);
  EXPECT_EQ(made.asked->requests, 1U) << "the other was answered before";
}

TEST_F(Sanitize, RefusesWhatTheMethodHasNoUseFor) {
  const auto says = [&] { return ended_with([&] { check(options_); }).second; };
  options_.plan.method = "scrub";
  options_.dry_run = true;
  EXPECT_EQ(says(), "scrub asks no model: it costs nothing and sends nothing");
  options_.dry_run = false;
  options_.sweep = Sweep{"replacement", {"tag", "tag"}};
  EXPECT_EQ(says(), "--sweep has a value twice");
  options_.sweep->values = {"tag", ""};
  EXPECT_EQ(says(), "--sweep has an empty value");
  options_.sweep->values = {};
  EXPECT_EQ(says(), "--sweep has no value");
  options_.sweep->values = {"tag"};
  options_.plan.params["replacement"] = "surrogate";
  EXPECT_EQ(says(), "--sweep and --param both give replacement");
  options_.sweep.reset();
  EXPECT_EQ(says(), "");
  options_.plan = {};
  options_.plan.method = "paraphrase";
  options_.plan.seed = 1;
  EXPECT_EQ(says(), "paraphrase does not draw at random: --seed would change nothing");
  options_.plan.method = "nothing-like-it";
  EXPECT_EQ(ended_with([&] { sanitize(store(), options_); }).first, 2);
}

}  // namespace
}  // namespace residue::verbs
