// The worst leaks, found by scores, are those that reading all leaks puts first.
#include "query/report/worst_leaks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "query/report/judged_run.h"
#include "query/report/leaks.h"
#include "storage/catalog/results/link.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

auto values(const Leak& leak) {
  return std::tuple(leak.record, leak.n, leak.rating, leak.categories, leak.linked, leak.right, leak.of_record,
                    leak.claim_text.value, leak.linked_text.value);
}

class WorstLeaksTest : public QueryStore {
 protected:
  static constexpr std::size_t kRecords = 40;

  // Runs that keep some claims whole and some in part; one fails some records, one has a text for many.
  WorstLeaksTest() {
    texts_are_meant_ = false;
    add_many(0, kRecords);
    for (const char* name : {"mixed", "failing", "repeating"}) {
      std::vector<VariantRow> rows;
      for (std::size_t i = 0; i < kRecords; ++i) rows.push_back(made(name, i));
      add_run(name, rows);
    }
    evaluate_all();
  }

  static VariantRow made(const std::string& run, std::size_t i) {
    const std::string key = fmt::format("r{}", i);
    if (run == "failing" && i % 5 == 0) {
      VariantRow row;
      row.key = key;
      row.error = "refused";
      return row;
    }
    if (run == "repeating" && i % 4 == 0) return variant(key, text_of(7) + "and nothing else");
    std::string text;
    for (std::size_t j = 0; j < 5; ++j) {
      if ((i * 7 + j) % 3 != 0) text += fmt::format("w{}x{} ", i, j);
      if ((i + j) % 4 != 0) text += fmt::format("common{} ", j);
    }
    return variant(key, text.empty() ? "nothing" : text);
  }

  Leaks load(const std::string& run, std::size_t limit, const std::string& category = "") {
    LeakOptions options;
    options.dataset = "d";
    options.run = run;
    options.limit = limit;
    options.category = category;
    return load_leaks(store(), options);
  }

  std::optional<WorstLeaks> worst(const std::string& run, std::size_t limit, std::string_view category = {}) {
    const Lens lens = find_lens(store().db(), "d", "", std::nullopt);
    return worst_leaks(store().db(), judged_run(store().db(), lens, run).id, lens, limit, category);
  }

  void expect_equal(const std::string& run, const std::string& category = "") {
    const Leaks all = load(run, 0, category);
    for (const std::size_t limit : {std::size_t{1}, std::size_t{4}, std::size_t{23}, all.leaks.size() + 1}) {
      const Leaks some = load(run, limit, category);
      EXPECT_EQ(some.total, all.total);
      EXPECT_EQ(some.records, all.records);
      EXPECT_EQ(some.failed, all.failed);
      ASSERT_EQ(some.leaks.size(), std::min<std::size_t>(limit, all.leaks.size())) << run;
      for (std::size_t i = 0; i < some.leaks.size(); ++i) {
        ASSERT_EQ(values(some.leaks[i]), values(all.leaks[i])) << run << " " << limit << " " << i;
      }
    }
  }
};

TEST_F(WorstLeaksTest, AreTheFirstOfAll) {
  for (const char* run : {"mixed", "failing", "repeating", "none", "remove-all"}) {
    expect_equal(run);
    EXPECT_TRUE(worst(run, 3)) << run << ": scores tell enough";
  }
  std::size_t ratings[3] = {};
  for (const Leak& leak : load("mixed", 0).leaks) ++ratings[leak.rating];
  EXPECT_GT(ratings[1], 0U) << "both ratings are tested";
  EXPECT_GT(ratings[2], 0U);
  EXPECT_EQ(load("failing", 3).failed, kRecords / 5);
  EXPECT_EQ(load("repeating", 3).failed, kRecords / 4);
}

// The statement that joins is the oracle of the walk, which reads what a record's claims share once.
TEST_F(WorstLeaksTest, AreReadAsTheStatementSays) {
  const Lens lens = find_lens(store().db(), "d", "", std::nullopt);
  std::size_t wrong = 0;
  for (const char* run : {"mixed", "failing", "repeating", "none", "remove-all"}) {
    const RunId id = judged_run(store().db(), lens, run).id;
    std::vector<Leak> expected;
    storage::Statement all = store().db().prepare(storage::sql::kLinkLeaksOfRun);
    all.bind(id, lens.protocol, lens.judge);
    while (all.step()) expected.push_back(leak_of(all));
    std::vector<Leak> found = read_leaks(store().db(), id, lens.protocol, lens.judge);
    const auto order = [](const Leak& a, const Leak& b) { return std::tie(a.record, a.n) < std::tie(b.record, b.n); };
    std::ranges::sort(expected, order);
    std::ranges::sort(found, order);
    ASSERT_EQ(found.size(), expected.size()) << run;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(values(found[i]), values(expected[i])) << run;
      wrong += found[i].right == false ? 1 : 0;
    }
  }
  EXPECT_GT(wrong, 0U) << "texts of others are found, too";
}

// Claims of one category, of two, of none; those that nobody spoke of have a name in the scores, too.
TEST_F(WorstLeaksTest, AreTheFirstOfACategory) {
  store().db().run(
      "UPDATE claim SET category = CASE (record_id + n) % 5 WHEN 0 THEN '[\"Health\"]' WHEN 1 THEN "
      "'[\"Family\",\"Health\"]' WHEN 2 THEN '[\"Family\"]' WHEN 3 THEN '[]' ELSE '[\"rare\"]' END;"
      "UPDATE claim SET category = '[]' WHERE category = '[\"rare\"]' AND record_id > 9;"
      "UPDATE claim_set SET categories = x'01', categorizer = NULL");
  evaluate_all();
  for (const char* run : {"mixed", "failing", "repeating", "none", "remove-all"}) {
    for (const char* category : {"Health", "Family", "rare"}) {
      SCOPED_TRACE(category);
      expect_equal(run, category);
      EXPECT_TRUE(worst(run, 3, category)) << run << ": scores tell enough";
    }
  }
  EXPECT_GT(load("mixed", 1, "Health").total, load("mixed", 1, "rare").total);
  EXPECT_LT(load("mixed", 1, "Health").total, load("mixed", 1).total);
  for (const char* category : {"no category", "not categorized", "none such"}) {
    EXPECT_FALSE(worst("mixed", 3, category));
    EXPECT_THROW(load("mixed", 3, category), Error) << category;
  }
}

TEST_F(WorstLeaksTest, AreReadWithAllWhereTheScoresAreNotTheirs) {
  const Leak first = load("mixed", 1).leaks.front();
  storage::Statement gone = store().db().prepare("DELETE FROM judgment WHERE claim_id = ?1 AND passage_id = ?2");
  gone.run(first.claim_text, first.linked_text);
  EXPECT_FALSE(worst("mixed", 3));
  expect_equal("mixed");
}

TEST_F(WorstLeaksTest, AreReadWithAllWhereTheRunChanged) {
  add_run("mixed", {variant("r1", "w1x0 common0 w1x1")});
  EXPECT_FALSE(worst("mixed", 3));
  expect_equal("mixed");
}

}  // namespace
}  // namespace residue::query::testing
