// What scores leave in the catalog while an evaluation is under way.
#include "query/stored/score_store.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class ScoreStoreTest : public QueryStore {
 protected:
  std::int64_t number(const std::string& sql) {
    storage::Statement find = store().db().prepare(sql);
    return find.step() ? find.integer(0) : -1;
  }
  std::int64_t sums_of_pets() {
    return number("SELECT count(DISTINCT cut) FROM aggregate JOIN cut c ON c.id = cut WHERE c.name = 'Pet'");
  }
  static Contribution leak(std::string cut) {
    return {MetricId::kLeakByCategory, Outcome::kNone, State::kValue, 1, 1, 1, std::move(cut)};
  }
};

// Who removes what nothing uses goes by these rows; a cut that went would leave its scores without a name.
TEST_F(ScoreStoreTest, ACutKeepsItsRowUntilAllIsStored) {
  add_records({record("a", "She keeps bees."), record("b", "He sings.")});
  add_claims({claims("a", {"Bees.", "She."}), claims("b", {"Songs.", "He."})});
  evaluate_all({"bm25/first:1"});
  const RunId run{number("SELECT id FROM run WHERE name = 'none'")};
  const ProtocolId protocol{number("SELECT id FROM protocol WHERE name LIKE 'bm25/first:1%' LIMIT 1")};
  const JudgeId judge{number("SELECT id FROM judge WHERE name = 'lexical'")};
  const RecordId a{number("SELECT id FROM record WHERE key = 'a'")};
  ScoreStore scores(store(), run, Tier::kJudge, protocol, judge, 0);
  scores.apply(std::vector<ScoreStore::Change>{{a, 1, 7, {leak("Health")}}});
  scores.apply(std::vector<ScoreStore::Change>{{a, 2, 7, {leak("Pet")}}});
  EXPECT_EQ(sums_of_pets(), 1) << "a cut that came with a later batch";
  scores.apply(std::vector<ScoreStore::Change>{{a, 3, 7, {leak("Health")}}});
  EXPECT_EQ(sums_of_pets(), 1) << "others may still have it";
  scores.finish({"r", "d", "c"}, true, 2);
  EXPECT_EQ(sums_of_pets(), 0);
  EXPECT_EQ(number(fmt::format("SELECT count(*) FROM aggregate a JOIN evaluation e ON e.id = a.evaluation_id WHERE "
                               "replicates IS NULL AND tier = 'judge' AND run_id = {} AND protocol_id = {}",
                               run.value, protocol.value)),
            0);
}

}  // namespace
}  // namespace residue::query::testing
