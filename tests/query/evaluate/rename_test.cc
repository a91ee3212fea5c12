#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/files/remove.h"
#include "query/link/protocol_rows.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Rename : public QueryStore {
 protected:
  Rename() {
    add_many(0, 6);
    for (const char* run : {"a", "b", "c"}) {
      std::vector<VariantRow> rows;
      for (std::size_t i = 0; i < 6; ++i) {
        if ((i + run[0]) % 3 != 0) rows.push_back(variant(fmt::format("r{}", i), text_of(i) + run));
      }
      add_run(run, rows);
    }
  }
  std::vector<std::string> rename(const std::string& from, const std::string& to) {
    std::vector<std::string> stale;
    ingest::rename_run(store(), "d", from, to,
                       [&](storage::Db& db, DatasetId dataset) { stale = rename_in_protocols(db, dataset, from, to); });
    return stale;
  }
  // Whether nothing is left to compute.
  bool current(const std::string& protocol) {
    const EvalCounts counts = evaluate_all({protocol});
    return counts.current == counts.evaluations && counts.evaluations > 0;
  }
};

TEST_F(Rename, KeepsTheResultsOfAttackersWhoHoldTheRun) {
  evaluate_all({"bm25[runs=a+b]/first:2"});
  EXPECT_EQ(rename("a", "aa"), std::vector<std::string>());
  EXPECT_TRUE(current("bm25[runs=aa+b]/first:2"));
  EXPECT_EQ(rename("aa", "z"), std::vector<std::string>());  // now behind b
  EXPECT_TRUE(current("bm25[runs=b+z]/first:2"));
  expect_proven();
  EXPECT_EQ(number("SELECT count(*) FROM protocol WHERE linker LIKE 'bm25[%'"), 3);  // the absent attacks
  add_run("z", {variant("r1", "w2x0 common0")});
  EXPECT_FALSE(current("bm25[runs=b+z]/first:2"));
  EXPECT_TRUE(current("bm25[runs=b+z]/first:2"));
  expect_proven();
}

TEST_F(Rename, SaysWhatIsStaleWhereTheOrderOfThreeReleasesChanges) {
  evaluate_all({"bm25[runs=a+b+c]/first:2"});
  EXPECT_EQ(rename("b", "bb"), std::vector<std::string>());
  EXPECT_TRUE(current("bm25[runs=a+bb+c]/first:2"));
  EXPECT_EQ(rename("a", "z"), std::vector<std::string>{"bm25[runs=bb+c+z]/first:2/claims"});
  EXPECT_FALSE(current("bm25[runs=bb+c+z]/first:2"));
  EXPECT_TRUE(current("bm25[runs=bb+c+z]/first:2"));
  expect_proven();
}

TEST_F(Rename, LeavesAProtocolWhoseNewNameIsTaken) {
  evaluate_all({"bm25[runs=b+c]/first:2", "bm25[runs=a+b]/first:2"});
  ingest::remove_run(store(), "d", "c");
  EXPECT_EQ(rename("a", "c"), std::vector<std::string>{"bm25[runs=a+b]/first:2/claims"});
  EXPECT_FALSE(current("bm25[runs=b+c]/first:2"));
  EXPECT_TRUE(current("bm25[runs=b+c]/first:2"));
  expect_proven();
}

TEST_F(Rename, DoesNotMakeStaleResultsCurrent) {
  evaluate_all({"bm25[runs=a+b]/first:2"});
  add_run("b", {variant("r1", "w2x0 common0")});
  rename("a", "z");
  EXPECT_FALSE(current("bm25[runs=b+z]/first:2"));
}

}  // namespace
}  // namespace residue::query::testing
