#include "query/evaluate/recompute.h"

#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Recompute : public QueryStore {
 protected:
  Recompute() {
    add_many(0, 6);
    add_run("r", {variant("r0", text_of(0)), variant("r1", "w2x0 common0")});
    evaluate_all();
  }
};

TEST_F(Recompute, AgreesWithWhatWasComputed) {
  EXPECT_GT(metric_dump(store()).size(), 100U);
  expect_proven();
}

TEST_F(Recompute, CountsWhatItLeavesOutAndSaysWhy) {
  const std::size_t all = metric_dump(store()).size();
  Recomputed result = recompute(store(), dir_ / "whole", {});
  EXPECT_EQ(result.rows, all);
  EXPECT_TRUE(result.left_out.empty());
  store().db().run("UPDATE judge SET spec = '{}' WHERE name = 'lexical'");
  result = recompute(store(), dir_ / "other", {});
  EXPECT_TRUE(result.differences.empty());
  ASSERT_EQ(result.left_out.size(), 1U);
  EXPECT_GT(result.left_out[0].rows, 0U);
  EXPECT_EQ(result.rows + result.left_out[0].rows, all);
  EXPECT_EQ(result.left_out[0].reason, "lexical is another version of the judge now");
}

TEST_F(Recompute, CountsWhatIsStale) {
  const std::size_t all = metric_dump(store()).size();
  add_run("r", {variant("r0", "something else")});
  const Recomputed result = recompute(store(), dir_ / "stale", {});
  EXPECT_TRUE(result.differences.empty());
  ASSERT_EQ(result.left_out.size(), 1U);
  EXPECT_GT(result.rows, 0U);
  EXPECT_EQ(result.rows + result.left_out[0].rows, all);
  EXPECT_TRUE(result.left_out[0].reason.starts_with("stale"));
}

TEST_F(Recompute, NamesTheNumberThatIsWrong) {
  store().db().run(
      "UPDATE metric SET value = value + 1e-12 WHERE slice = '' AND metric = (SELECT id FROM metric_definition WHERE "
      "name "
      "= 'linkage_rate') AND evaluation_id = (SELECT e.id FROM evaluation e JOIN run r ON r.id = run_id JOIN protocol "
      "p "
      "ON p.id = protocol_id WHERE e.tier = 'link' AND r.name = 'r' AND p.linker = 'bm25')");
  const auto differences = proof();
  ASSERT_EQ(differences.size(), 2U);
  for (const auto& line : {differences[0].stored, differences[1].recomputed}) {
    EXPECT_EQ(line.rfind("d\tr\tlink\tbm25/first:2/claims\t0\t\tlinkage_rate\t\t", 0), 0U) << line;
  }
}

TEST_F(Recompute, SeesAJudgmentThatIsWrong) {
  store().db().run("UPDATE judgment SET rating = 4 - rating");
  add_run("r", {variant("r1", "w2x0 common0 more")});
  evaluate_all();
  EXPECT_FALSE(proof().empty());
}

TEST_F(Recompute, LeavesOutWhatIsStale) {
  const std::size_t all = metric_dump(store()).size();
  add_run("r", {variant("r1", "something else")});
  EXPECT_LT(metric_dump(store()).size(), all);
  expect_proven();
  evaluate_all();
  EXPECT_EQ(metric_dump(store()).size(), all);
}

}  // namespace
}  // namespace residue::query::testing
