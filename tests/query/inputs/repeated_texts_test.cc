// One text for many records (METRICS rule 1, audit A7).
#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

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
