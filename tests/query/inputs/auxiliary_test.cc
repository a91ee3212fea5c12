#include "query/inputs/auxiliary.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class Auxiliary : public QueryStore {
 protected:
  Auxiliary() {
    add_records({record("a", "Ann"), record("b", "Bob"), record("c", "Cid")});
    add_claims({claims("a", {"one", "two", "three"}), claims("b", {"four"})});
  }
  AuxiliaryView sync(const char* protocol = "bm25/first:2") {
    return sync_auxiliary(store(), dataset_view(), parse_protocol(protocol).policy);
  }
  std::vector<std::string> stored() {
    return rows(
        "SELECT r.key, q.text_id AS 'T:q', q.short, q.claims FROM auxiliary_query q JOIN record r ON r.id = record_id "
        "JOIN auxiliary a ON a.id = auxiliary_id WHERE policy = 'first:2' ORDER BY r.key");
  }
};

TEST_F(Auxiliary, JoinsTheChosenClaimsByOneSpace) {
  const AuxiliaryView view = sync();
  EXPECT_EQ(stored(), (std::vector<std::string>{"a|one two|0|[1,2]", "b|four|1|[1]"}));
  EXPECT_EQ(view.known[0].claims, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_FALSE(view.known[0].too_few);
  EXPECT_TRUE(view.known[1].too_few);
  EXPECT_TRUE(view.known[2].claims.empty());
  EXPECT_EQ(view.known[2].query, TextId{});
}

TEST_F(Auxiliary, FollowsEditedAddedAndRemovedClaims) {
  sync();
  add_claims({claims("a", {"uno", "two", "three"}), claims("b", {}), claims("c", {"five", "six", "seven"})});
  const AuxiliaryView view = sync();
  EXPECT_EQ(stored(), (std::vector<std::string>{"a|uno two|0|[1,2]", "c|five six|0|[1,2]"}));
  EXPECT_EQ(store().facts().read()->text(view.known[0].query), "uno two");
  EXPECT_EQ(view.known[1].query, TextId{});
}

TEST_F(Auxiliary, LoadsWhatItStored) {
  const AuxiliaryView first = sync();
  const std::int64_t writes = number("PRAGMA data_version");
  const auto changes = number("SELECT total_changes()");
  const AuxiliaryView again = sync();
  EXPECT_EQ(number("SELECT total_changes()"), changes);
  EXPECT_EQ(number("PRAGMA data_version"), writes);
  ASSERT_EQ(again.known.size(), first.known.size());
  EXPECT_EQ(again.id, first.id);
  for (std::size_t i = 0; i < first.known.size(); ++i) {
    EXPECT_EQ(again.known[i].query, first.known[i].query);
    EXPECT_EQ(again.known[i].claims, first.known[i].claims);
    EXPECT_EQ(again.known[i].too_few, first.known[i].too_few);
  }
}

TEST_F(Auxiliary, TakesOtherWordsForTheChosenClaims) {
  add_claims({claims("a", {"eins", "zwei", "drei"}), claims("c", {"sechs"})}, "german");
  const AuxiliaryView view = sync("bm25/first:2~german");
  EXPECT_EQ(store().facts().read()->text(view.known[0].query), "eins zwei");
  EXPECT_EQ(view.known[0].claims, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(view.known[0].texts.size(), 2U);
  EXPECT_EQ(store().facts().read()->text(view.known[0].texts[0]), "one");
  EXPECT_EQ(view.known[1].query, TextId{});  // Claim 1 of b is not said in German: no attack on it.
  EXPECT_NE(view.id, sync("bm25/first:2").id);
  add_claims({claims("a", {"uno", "zwei", "drei"})}, "german");
  const AuxiliaryView again = sync("bm25/first:2~german");
  EXPECT_EQ(store().facts().read()->text(again.known[0].query), "uno zwei");
}

TEST_F(Auxiliary, TakesWhatIsGivenPerRecord) {
  add_claims({claims("a", {"seen at noon", "two"}), claims("c", {"five"})}, "seen");
  const AuxiliaryView view = sync("bm25/given:seen");
  EXPECT_EQ(store().facts().read()->text(view.known[0].query), "seen at noon two");
  EXPECT_EQ(view.known[0].claims, (std::vector<std::uint32_t>{2}));  // The claim with that very text is not judged.
  EXPECT_EQ(view.known[1].query, TextId{});
  EXPECT_NE(view.known[2].query, TextId{});
  EXPECT_FALSE(view.known[0].too_few);
  EXPECT_THROW(sync("bm25/given:heard"), Error);
}

TEST_F(Auxiliary, KeepsPoliciesApart) {
  EXPECT_NE(sync("bm25/first:2").id, sync("bm25/last:2").id);
  EXPECT_EQ(sync("bm25/first:2").id, sync("oracle/first:2").id);
}

}  // namespace
}  // namespace residue::query::testing
