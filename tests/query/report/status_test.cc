#include "query/report/status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Statuses : public QueryStore {
 protected:
  // "state judge" of each evaluation of the run, by the status that anybody reads.
  std::vector<std::string> evaluations() {
    std::vector<std::string> all;
    for (const RunStatus& run : read_status(store(), "d").runs) {
      if (run.run != "r") continue;
      for (const auto& one : run.evaluations) {
        all.push_back(std::string(one.superseded ? "superseded " : one.current ? "current " : "stale ") + one.judge);
      }
    }
    return all;
  }
  void rename_judge(const std::string& name) {
    const auto batch = store().write();
    batch->db().prepare("UPDATE judge SET name = ?1 WHERE name = 'lexical'").bind(name).step();
    batch->commit();
  }
};

TEST_F(Statuses, TellJudgesOfEarlierSettingsFromOthers) {
  add_records({record("a", "Ann keeps bees. She has two dogs."), record("b", "Bob repairs clocks. He is ill.")});
  add_claims(
      {claims("a", {"Ann keeps bees.", "She has two dogs."}), claims("b", {"Bob repairs clocks.", "He is ill."})});
  add_run("r", {variant("a", "Somebody keeps bees."), variant("b", "A man repairs clocks.")});
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  EXPECT_EQ(evaluations(), std::vector<std::string>{"current lexical"});
  add_run("r", {variant("a", "Somebody keeps something.")});
  EXPECT_EQ(evaluations(), std::vector<std::string>{"stale lexical"});
  rename_judge("lexical (superseded 1)");
  EXPECT_EQ(evaluations(), std::vector<std::string>{"superseded lexical (superseded 1)"});
  EXPECT_TRUE(read_status(store(), std::nullopt).incomplete.empty());
}

TEST_F(Statuses, SayHowManyRunsWereLookedAt) {
  add_records({record("a", "Ann keeps bees.")});
  add_run("r", {variant("a", "Somebody keeps bees.")});
  std::vector<std::uint64_t> told;
  const Status status =
      read_status(store(), "d", [&](std::uint64_t done, std::optional<std::uint64_t>) { told.push_back(done); });
  EXPECT_EQ(status.runs.size(), 3U) << "the controls, too";
  EXPECT_EQ(told, (std::vector<std::uint64_t>{0, 0, 1, 2}));
}

// As the view `runs` and the report: before the evaluation, which knows them, and behind it.
TEST_F(Statuses, CountTextsThatStandForManyRecordsAsFailed) {
  texts_are_meant_ = false;
  add_records({record("a", "Ann keeps bees."), record("b", "Bob repairs clocks."), record("c", "Cid sings."),
               record("e", "Eve sails.")});
  add_claims({claims("a", {"Ann keeps bees."}), claims("b", {"Bob repairs clocks."}), claims("c", {"Cid sings."}),
              claims("e", {"Eve sails."})});
  VariantRow refused = variant("e", "");
  refused.text.reset();
  refused.error = "refused";
  add_run("r", {variant("a", "A person."), variant("b", "A person."), variant("c", "A person."), refused});
  const auto counted = [&] {
    for (const RunStatus& run : read_status(store(), "d").runs) {
      if (run.run == "r") return std::vector<std::uint64_t>{run.variants, run.failed, run.one_for_many};
    }
    return std::vector<std::uint64_t>{};
  };
  EXPECT_EQ(counted(), (std::vector<std::uint64_t>{4, 4, 3}));
  evaluate_all({"bm25/first:1"}, "lexical", 0, "r");
  EXPECT_EQ(counted(), (std::vector<std::uint64_t>{4, 4, 3}));
}

}  // namespace
}  // namespace residue::query::testing
