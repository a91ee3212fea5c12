#include "query/report/show.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.h"
#include "tests/query/small_store.h"

namespace residue::query {
namespace {

using ShowTest = testing::SmallStoreTest;

TEST_F(ShowTest, TakesAReferenceForARunBeforeARecord) {
  storage::Db& db = store().db();
  store().db().run("INSERT INTO record (dataset_id, key, text_id) VALUES (1, 'r', 1), (1, 'a/b#2', 1)");
  EXPECT_EQ(resolve(db, "d", false).run, std::nullopt);
  EXPECT_EQ(resolve(db, "d/r", false).run, "r");
  EXPECT_EQ(resolve(db, "d/r", true).record, "r");
  EXPECT_EQ(resolve(db, "d/a", false).record, "a");
  EXPECT_EQ(resolve(db, "d/a#2", false).claim, std::optional<std::uint32_t>(2));
  EXPECT_EQ(resolve(db, "d/a#2", false).record, "a");
  EXPECT_EQ(resolve(db, "d/a/b#2", false).claim, std::nullopt);
  EXPECT_EQ(resolve(db, "d/a/b#2", false).record, "a/b#2");
  EXPECT_THROW(resolve(db, "d/nothing", false), Error);
  EXPECT_THROW(resolve(db, "d/a#0", false), Error);
  EXPECT_THROW(resolve(db, "e", false), Error);
}

TEST_F(ShowTest, CountsADataset) {
  const DatasetCard card = load_dataset_card(store(), "d");
  EXPECT_EQ(card.records, 2);
  ASSERT_EQ(card.claim_sets.size(), 1U);
  EXPECT_EQ(card.claim_sets[0].claims, 4);
  ASSERT_EQ(card.runs.size(), 3U);
  EXPECT_EQ(card.runs[0].failed, 1);
  EXPECT_EQ(card.runs[0].errors.front().first, "refused");
}

TEST_F(ShowTest, HasTheStateOfARecordInEveryRun) {
  const RecordCard card = load_record_card(store(), "d", "b", "");
  EXPECT_EQ(card.claims.size(), 2U);
  ASSERT_EQ(card.variants.size(), 3U);
  EXPECT_EQ(card.variants[0].state, "failed");
  EXPECT_EQ(card.variants[0].error, "refused");
  EXPECT_EQ(card.variants[1].state, "ok");
  EXPECT_EQ(card.variants[1].text, card.text);
  EXPECT_EQ(card.variants[2].state, "removed");
}

TEST_F(ShowTest, KnowsHowTheAttackEnded) {
  const Lens lens = find_lens(store().db(), "d", "", std::nullopt);
  const AttackCard attack = load_attack(store().db(), lens, "r", "a");
  EXPECT_TRUE(attack.evaluated);
  EXPECT_EQ(attack.linked_key, "a");
  EXPECT_EQ(attack.right, std::optional(true));
  EXPECT_EQ(attack.known, std::vector<std::uint32_t>{1});
  ASSERT_FALSE(attack.ratings.empty());
  EXPECT_EQ(attack.ratings.back().n, 2U);
  EXPECT_EQ(attack.ratings.back().rating, 1);
  const AttackCard removed = load_attack(store().db(), lens, "remove-all", "a");
  EXPECT_TRUE(removed.evaluated);
  EXPECT_FALSE(removed.linked);
  EXPECT_TRUE(removed.ratings.empty());
}

}  // namespace
}  // namespace residue::query
