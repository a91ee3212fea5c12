#include "query/report/leaks.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

class LeaksTest : public testing::SmallStoreTest {
 protected:
  Leaks load(const char* run, const char* category = "", std::size_t limit = 0) {
    LeakOptions options;
    options.dataset = "d";
    options.run = run;
    options.category = category;
    options.limit = limit;
    return load_leaks(store(), options);
  }
};

TEST_F(LeaksTest, AreTheUnknownClaimsThatTheLinkedTextSupports) {
  const Leaks leaks = load("r");
  ASSERT_EQ(leaks.leaks.size(), 1U);  // of a; b's variant failed, and #1 was known
  EXPECT_EQ(leaks.leaks[0].record, "a");
  EXPECT_EQ(leaks.leaks[0].n, 2U);
  EXPECT_EQ(leaks.leaks[0].rating, 1);
  EXPECT_EQ(leaks.leaks[0].linked, "a");
  EXPECT_EQ(leaks.leaks[0].right, std::optional(true));
  EXPECT_EQ(leaks.leaks[0].categories, std::vector<std::string>{"Health"});
  EXPECT_EQ(store().facts().read()->text(leaks.leaks[0].claim_text), "She has asthma since childhood.");
  EXPECT_EQ(load("none").leaks.size(), 2U);
  EXPECT_TRUE(load("remove-all").leaks.empty());
}

TEST_F(LeaksTest, CountTextsThatFailedOrAreNotThere) {
  EXPECT_EQ(load("r").failed, 1U);
  EXPECT_EQ(load("none").failed, 0U);
  store().db().run("DELETE FROM variant WHERE text_id IS NULL AND run_id = (SELECT id FROM run WHERE name = 'r')");
  EXPECT_EQ(load("r").failed, 1U);
}

TEST_F(LeaksTest, CanBeOfOneCategoryAndLimited) {
  EXPECT_EQ(load("none", "Health").leaks.size(), 1U);
  EXPECT_THROW(load("none", "Age"), Error);
  EXPECT_TRUE(load("remove-all", "Health").leaks.empty());
  const Leaks one = load("none", "", 1);
  EXPECT_EQ(one.leaks.size(), 1U);
  EXPECT_EQ(one.total, 2U);
  EXPECT_EQ(one.leaks[0].record, "a");
}

TEST_F(LeaksTest, SayWhenTheRunChangedSince) {
  EXPECT_FALSE(load("r").stale);
  edit_run("Nothing is left of it.");
  EXPECT_TRUE(load("r").stale);
}

TEST_F(LeaksTest, OfARunThatWasNotEvaluatedAreAnError) {
  store().db().run("DELETE FROM evaluation WHERE run_id = (SELECT id FROM run WHERE name = 'r')");
  EXPECT_THROW(load("r"), Error);
  EXPECT_THROW(load("x"), Error);
}

}  // namespace
}  // namespace residue::query
