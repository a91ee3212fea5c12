// One text for many records.
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "model/suspicion/one_for_many.h"
#include "query/report/show.h"
#include "tests/query/store_fixture.h"

namespace residue::query::testing {
namespace {

class RepeatedTexts : public QueryStore {
 protected:
  RepeatedTexts() { texts_are_meant_ = false; }

  // How many of the run's texts failed for it, whatever the dataset view at hand.
  std::uint64_t repeated(const std::string& run) {
    const DatasetView dataset = dataset_view();
    const RunView view = run_view(dataset, run);
    std::uint64_t failed = 0;
    for (const VariantView& variant : view.variants) failed += variant.ok ? 0 : 1;
    EXPECT_EQ(failed, view.repeated);
    const auto reader = store().facts().read();
    EXPECT_EQ(model::one_for_many(store().db(), *reader, view.id).size(), failed)
        << "what looks at one run says the same";
    return view.repeated;
  }

  void add(std::size_t records, std::size_t distinct) {
    std::vector<RecordRow> rows;
    for (std::size_t i = 0; i < records; ++i) {
      rows.push_back(record(fmt::format("r{}", i), fmt::format("text {}", i % distinct)));
    }
    add_records(rows);
    add_claims({claims("r0", {"x"})});
  }
  static std::vector<VariantRow> variants(std::size_t records, std::size_t same, const std::string& text) {
    std::vector<VariantRow> rows;
    for (std::size_t i = 0; i < records; ++i) {
      rows.push_back(variant(fmt::format("r{}", i), i < same ? text : fmt::format("other {}", i)));
    }
    return rows;
  }
};

TEST_F(RepeatedTexts, FailFromThreeRecordsOn) {
  add(20, 20);
  add_run("two", variants(20, 2, "A person."));
  add_run("three", variants(20, 3, "A person."));
  add_run("marks", variants(20, 9, "[NAME] ***"));
  EXPECT_EQ(repeated("two"), 0U);
  EXPECT_EQ(repeated("three"), 3U);
  EXPECT_EQ(repeated("marks"), 0U) << "mask signs say nothing";
  EXPECT_EQ(repeated("none"), 0U);
  EXPECT_EQ(repeated("remove-all"), 0U);
}

TEST_F(RepeatedTexts, AreOneInAHundredAtLeast) {
  add(500, 500);
  add_run("four", variants(500, 4, "A person."));
  add_run("five", variants(500, 5, "A person."));
  EXPECT_EQ(repeated("four"), 0U);
  EXPECT_EQ(repeated("five"), 5U);
}

TEST_F(RepeatedTexts, AreNoneWhereTheOriginalsRepeat) {
  add(20, 2);
  add_run("r", variants(20, 20, "A person."));
  EXPECT_EQ(repeated("r"), 0U);
}

// An id, a date, a space or a full stop in it makes it no other text.
TEST_F(RepeatedTexts, AreOneTextWhateverTellsThemApart) {
  const char* names[] = {"Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jo"};
  std::vector<RecordRow> rows;
  for (int i = 0; i < 10; ++i) rows.push_back(record(fmt::format("r{}", i), fmt::format("{} keeps bees.", names[i])));
  add_records(rows);
  add_claims({claims("r0", {"x"})});
  const auto run = [&](const std::string& name, auto&& text) {
    std::vector<VariantRow> variants;
    for (int i = 0; i < 10; ++i) variants.push_back(variant(fmt::format("r{}", i), text(i)));
    add_run(name, variants);
    return repeated(name);
  };
  EXPECT_EQ(run("number", [](int i) { return fmt::format("Document {} was processed successfully.", i); }), 10U);
  EXPECT_EQ(run("end", [](int i) { return "Text removed" + std::string(static_cast<std::size_t>(i), '.'); }), 10U);
  EXPECT_EQ(run("space", [](int i) { return "Text removed." + std::string(static_cast<std::size_t>(i), ' '); }), 10U);
  EXPECT_EQ(run("case", [](int i) { return std::string(i % 2 == 0 ? "Text REMOVED" : "text removed"); }), 10U);
  EXPECT_EQ(run("unseen",
                [](int i) {
                  std::string text = "Text removed";
                  for (int n = 0; n < i; ++n) text.insert(4, "\u200b");
                  return text;
                }),
            10U);
  EXPECT_EQ(run("two",
                [](int i) {
                  return i < 2 ? fmt::format("Removed {}.", i)
                               : fmt::format("{} reads.", i) + std::string(static_cast<std::size_t>(i), 'x');
                }),
            0U);
  EXPECT_EQ(run("tags", [](int i) { return fmt::format("[NAME_{}] [DATE]", i); }), 0U) << "mask signs say nothing";
  EXPECT_EQ(run("long", [](int i) { return std::string(400, 'x') + fmt::format(" {}", i); }), 0U) << "nobody reads it";
}

// Where the originals differ in no more than that, nothing was put in the place of many.
TEST_F(RepeatedTexts, AreNoneWhereTheOriginalsAreWordedAlike) {
  add(20, 20);  // "text 0", "text 1", ...
  std::vector<VariantRow> rows;
  for (std::size_t i = 0; i < 20; ++i) rows.push_back(variant(fmt::format("r{}", i), fmt::format("Text: {}", 40 + i)));
  add_run("r", rows);
  EXPECT_EQ(repeated("r"), 0U);
}

// It follows from what is there, not from the order it came in.
TEST_F(RepeatedTexts, AreThoseOfTheWholeRun) {
  add(20, 20);
  add_run("r", variants(2, 2, "A person."));
  EXPECT_EQ(run_view(dataset_view(), "r").repeated, 0U);
  add_run("r", {variant("r7", "A person.")});
  EXPECT_EQ(run_view(dataset_view(), "r").repeated, 3U);
  add_run("r", {variant("r7", "Somebody else.")});
  EXPECT_EQ(run_view(dataset_view(), "r").repeated, 0U);
}

// Whoever looks at a run or a record sees what was counted.
TEST_F(RepeatedTexts, FailWhereverTheyAreShown) {
  add(20, 20);
  add_run("r", variants(20, 5, "A person."));
  const RunCard run = load_run_card(store(), "d", "r");
  EXPECT_EQ(run.failed, 5);
  ASSERT_EQ(run.errors.size(), 1U);
  EXPECT_EQ(run.errors[0].first, "suspected: one text for many records");
  EXPECT_EQ(run.errors[0].second, 5);
  const auto state = [&](const std::string& key) {
    for (const VariantCard& one : load_record_card(store(), "d", key, "").variants) {
      if (one.run == "r") return one.state;
    }
    return std::string();
  };
  EXPECT_EQ(state("r4"), "failed");
  EXPECT_EQ(state("r5"), "ok");
}

TEST_F(RepeatedTexts, AreTextsWhereTheyAreMeant) {
  add(20, 20);
  add_run("r", variants(20, 20, "A person."));
  const std::string before = run_view(dataset_view(), "r").content;
  EXPECT_EQ(repeated("r"), 20U);
  texts_are_meant_ = true;
  add_run("r", variants(20, 20, "A person."));
  EXPECT_EQ(repeated("r"), 0U);
  EXPECT_NE(run_view(dataset_view(), "r").content, before) << "its numbers are others";
}

}  // namespace
}  // namespace residue::query::testing
