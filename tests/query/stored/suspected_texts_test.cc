// What an evaluation knows of suspected texts is what the texts say.
#include "query/stored/suspected_texts.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "model/suspicion/one_for_many.h"
#include "storage/catalog/lookup.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class SuspectedTexts : public QueryStore {
 protected:
  static constexpr std::size_t kRecords = 12;

  SuspectedTexts() {
    texts_are_meant_ = false;
    add_many(0, kRecords);
    // Originals that have nothing to keep: an empty text is right for them.
    add_records({record("blank", "  "), record("space", "\t"), record("line", " \n "), record("nothing", "")});
  }

  // Whether the evaluation knows that there is nothing; that both ways find the same is checked.
  bool nothing(const std::string& run) {
    const RunId id = storage::find_run(store().db(), "d", run);
    const auto texts = store().facts().read();
    const auto read = model::one_for_many(store().db(), *texts, id);
    EXPECT_EQ(suspected_texts(store().db(), *texts, id), read) << run;
    const bool known = nothing_suspected(store().db(), *texts, id);
    EXPECT_TRUE(!known || read.empty()) << run;
    return known;
  }

  // `same` records get one text, those after them up to `failed` none.
  void add(const std::string& run, std::size_t same, std::size_t failed, bool blank) {
    std::vector<VariantRow> rows;
    for (std::size_t i = 0; i < kRecords; ++i) {
      rows.push_back(
          variant(fmt::format("r{}", i), i < same ? "A person did it." : fmt::format("{} then", text_of(i))));
      if (i < same || i >= same + failed) continue;
      rows.back() = {};
      rows.back().key = fmt::format("r{}", i);
      rows.back().error = "refused";
    }
    for (const char* key : {"blank", "space", "line", "nothing"}) {
      if (blank) rows.push_back(variant(key, ""));
    }
    add_run(run, rows);
  }
};

TEST_F(SuspectedTexts, AreKnownToBeNoneWhereNoTextFailedForThem) {
  add("clean", 0, 0, true);
  add("failing", 0, 4, true);
  add("absent", 0, 4, false);
  add("same", 3, 0, true);
  add("same-failing", 3, 4, true);
  add("same-absent", 4, 3, false);
  for (const char* run : {"clean", "failing", "same"}) EXPECT_FALSE(nothing(run)) << run << " was not evaluated";
  evaluate_all();
  EXPECT_TRUE(nothing("clean"));
  EXPECT_TRUE(nothing("failing"));
  EXPECT_TRUE(nothing("absent"));
  EXPECT_FALSE(nothing("same"));
  EXPECT_FALSE(nothing("same-failing"));
  EXPECT_FALSE(nothing("same-absent"));
}

TEST_F(SuspectedTexts, AreLookedForAgainWhereTheRunChanged) {
  add("clean", 0, 0, true);
  evaluate_all();
  ASSERT_TRUE(nothing("clean"));
  std::vector<VariantRow> rows;
  for (std::size_t i = 0; i < 5; ++i) rows.push_back(variant(fmt::format("r{}", i), "A person did it."));
  add_run("clean", rows);
  EXPECT_FALSE(nothing("clean"));
  const RunId id = storage::find_run(store().db(), "d", "clean");
  EXPECT_EQ(suspected_texts(store().db(), *store().facts().read(), id).size(), 5U);
}

}  // namespace
}  // namespace residue::query::testing
