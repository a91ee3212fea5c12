#include "query/inputs/category_tags.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ingest/atomize/categorize.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

using Lines = std::vector<std::string>;
using ingest::Categories;

class CategoryTags : public QueryStore {
 protected:
  void SetUp() override {
    QueryStore::SetUp();
    add_records({record("a", "A nurse aged 45 keeps two dogs and grows tall beans."), record("b", "A tree is green.")});
    facts({"The person is aged 45.", "The person is a nurse.", "The person keeps two dogs."});
    add_run("copy", {variant("a", "A nurse aged 45 keeps two dogs and grows tall beans."), variant("b", "Rain.")});
  }
  void facts(const std::vector<std::string>& of_a, const std::vector<std::string>& categories = {}) {
    ClaimsRow row = claims("a", of_a);
    for (std::size_t i = 0; i < categories.size(); ++i) row.claims[i].category = categories[i];
    add_claims({row, claims("b", {"The tree is green.", "The sky is wide."})});
  }
  // leak_by_category of the run 'copy' as "part value units n".
  Lines parts() {
    return rows(
        "SELECT m.slice, m.value, m.units, m.n FROM metric m JOIN metric_definition f ON f.id = m.metric JOIN "
        "evaluation "
        "e ON e.id = m.evaluation_id JOIN run r ON r.id = e.run_id JOIN protocol p ON p.id = e.protocol_id WHERE "
        "f.name "
        "= 'leak_by_category' AND r.name = 'copy' AND p.linker = 'bm25' ORDER BY m.slice");
  }
};

TEST_F(CategoryTags, SayWhatNobodySaidAndLeaksAreCountedByThem) {
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(rows("SELECT categorizer FROM claim_set"), (Lines{"rules/1 general"}));
  EXPECT_EQ(rows("SELECT category FROM claim ORDER BY record_id, n"),
            (Lines{R"(["Age"])", R"(["Occupation"])", R"(["Pet"])", "[]", "[]"}));
  // The attacker knows #1 of each.
  EXPECT_EQ(parts(), (Lines{"Occupation|1.0|1|1", "Pet|1.0|1|1", "no category|0.0|1|1"}));
  expect_proven();
  const EvalCounts again = evaluate_all({"bm25/first:1"});
  EXPECT_EQ(again.current, again.evaluations);
}

TEST_F(CategoryTags, ScoreAgainWhatIsSaidAnewAndForgetParts) {
  evaluate_all({"bm25/first:1"});
  facts({"The person is aged 45.", "The person is a nurse.", "The person keeps two dogs."},
        {R"(["X"])", R"(["Y"])", R"(["X","Y"])"});
  EXPECT_EQ(rows("SELECT categorizer IS NULL, count(category) FROM claim_set s JOIN claim c ON c.claim_set_id = s.id"),
            (Lines{"1|3"}));
  const EvalCounts counts = evaluate_all({"bm25/first:1"});
  EXPECT_EQ(counts.links, 0U);
  EXPECT_GT(counts.rescored, 0U);
  EXPECT_EQ(parts(), (Lines{"X|1.0|1|1", "Y|1.0|2|1", "not categorized|0.0|1|1"}));
  EXPECT_EQ(number("SELECT count(*) FROM aggregate a JOIN cut c ON c.id = a.cut WHERE c.name IN ('Pet','Occupation')"),
            0);
  expect_proven();
}

TEST_F(CategoryTags, OfRulesAreKeptByClaimsThatComeAgainAndMadeForNewOnes) {
  evaluate_all({"bm25/first:1"});
  facts({"The person is aged 45.", "The person is a nurse.", "The person keeps two cats."});
  EXPECT_EQ(number("SELECT count(*) FROM claim WHERE category IS NULL"), 1);
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(number("SELECT count(*) FROM claim WHERE category IS NULL"), 0);
  expect_proven();
}

TEST_F(CategoryTags, TakeTheListThatWasAskedFor) {
  ingest::categorize_by_rules(store(), "d", "claims", text::CategoryList::kMedical, Categories::kKeepIngested);
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(rows("SELECT categorizer FROM claim_set"), (Lines{"rules/1 medical"}));
  EXPECT_EQ(rows("SELECT category FROM claim WHERE n = 2 AND category <> '[]'"), (Lines{R"(["Occupation"])"}));
  expect_proven();
}

TEST_F(CategoryTags, OfFilesAreNotReplacedUnasked) {
  facts({"A.", "B.", "C."}, {R"(["X"])"});
  EXPECT_THROW(
      ingest::categorize_by_rules(store(), "d", "claims", text::CategoryList::kGeneral, Categories::kKeepIngested),
      Error);
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(number("SELECT count(*) FROM claim WHERE category IS NULL"), 4);
  ingest::categorize_by_rules(store(), "d", "claims", text::CategoryList::kGeneral, Categories::kReplace);
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(number("SELECT count(*) FROM claim WHERE category IS NULL"), 0);
}

TEST_F(CategoryTags, OfOlderRulesAreSaidAnew) {
  evaluate_all({"bm25/first:1"});
  store().db().run("UPDATE claim_set SET categorizer = 'rules/0 general'");
  store().db().run("UPDATE claim SET category = '[\"Old\"]'");
  evaluate_all({"bm25/first:1"});
  EXPECT_EQ(rows("SELECT categorizer FROM claim_set"), (Lines{"rules/1 general"}));
  EXPECT_EQ(number("SELECT count(*) FROM claim WHERE category GLOB '*Old*'"), 0);
  EXPECT_EQ(parts().size(), 3U);
}

}  // namespace
}  // namespace residue::query::testing
