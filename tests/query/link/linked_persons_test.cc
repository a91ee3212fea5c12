#include "query/link/linked_persons.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "query/inputs/repeats.h"
#include "query/inputs/snapshot.h"
#include "query/metric/contribution.h"
#include "query/metric/metrics.h"
#include "query/report/report.h"
#include "storage/catalog/lookup.h"
#include "tests/query/store_fixture.h"

namespace residue::query {
namespace {

class LinkedPersonsTest : public testing::QueryStore {
 protected:
  LinkedPersonsTest() {
    std::vector<ingest::RecordRow> rows = {
        testing::record("a", "Ann bakes."),        testing::record("b", "Ann  swims."),
        testing::record("c", "Eve cooks."),        testing::record("d", "eve\ncooks."),
        testing::record("e", "Joe knits."),        testing::record("f", "Ida skis."),
        testing::record("g", "Ida knits and skis")};
    rows[0].person = rows[1].person = "ann";
    rows[5].person = rows[6].person = "ida";
    add_records(rows);
    add_claims({testing::claims("a", {"Ann bakes"})});
    // e, f, g and c are released with one text; g has it for the second time.
    add_run("r", {testing::variant("a", "One bakes."), testing::variant("b", "One swims."),
                  testing::variant("c", "One moves."), testing::variant("d", "One cooks."),
                  testing::variant("e", "One moves."), testing::variant("f", "One moves."),
                  testing::variant("g", "One moves.")});
    const DatasetId id = storage::find_dataset(store().db(), "d");
    dataset_ = load_dataset(store(), id, "d", find_claim_set(store().db(), id, "d", ""));
    for (const RunHead& head : list_runs(store().db(), id)) {
      if (head.name == "r") run_ = load_run(store(), dataset_, head);
    }
    equal_ = equal_originals(store(), dataset_);
  }

  [[nodiscard]] std::size_t at(const std::string& key) const {
    for (std::size_t i = 0; i < dataset_.records.size(); ++i) {
      if (dataset_.records[i].key == key) return i;
    }
    throw std::logic_error(key);
  }
  [[nodiscard]] std::int64_t share(const std::string& target, const std::string& found) const {
    LinkView link;
    link.attacked = true;
    if (!found.empty()) link.linked = CandidateId{dataset_.records[at(found)].id.value};
    return LinkedPersons(dataset_, run_, equal_).share(at(target), link);
  }

  DatasetView dataset_;
  RunView run_;
  std::vector<std::size_t> equal_;
};

TEST_F(LinkedPersonsTest, AreFoundInAnyOfTheirRecords) {
  EXPECT_EQ(share("a", "a"), kOne);
  EXPECT_EQ(share("a", "b"), kOne);
  EXPECT_EQ(share("a", "d"), 0);
  EXPECT_EQ(share("a", ""), 0);
}

TEST_F(LinkedPersonsTest, AreTheSameWhereTheOriginalsSayTheSame) {
  EXPECT_EQ(share("c", "d"), kOne) << "white space and case aside";
  EXPECT_EQ(share("d", "c"), kOne);
  EXPECT_EQ(equal_[at("d")], at("c"));
  EXPECT_EQ(equal_[at("b")], at("b"));
}

// Persons who hold "One moves.": c, e and ida, who holds it twice.
TEST_F(LinkedPersonsTest, HaveAShareOfATextThatOthersHoldToo) {
  EXPECT_EQ(share("e", "f"), fixed(1, 3));
  EXPECT_EQ(share("f", "e"), fixed(1, 3));
  EXPECT_EQ(share("f", "g"), kOne) << "her own record";
  EXPECT_EQ(share("d", "e"), fixed(1, 3)) << "c, whose original says the same, holds it";
  EXPECT_EQ(share("a", "e"), 0);
}

TEST_F(LinkedPersonsTest, AreCountedInTheDataset) {
  add_records({testing::record("h", "Joe knits."), testing::record("i", ""), testing::record("j", "")});
  const Repeats found = repeats(store(), dataset_.id);
  EXPECT_EQ(found.records, 10);
  EXPECT_EQ(found.same_text, 2) << "e and h, byte for byte; empty texts say nothing";
  EXPECT_EQ(found.of_persons, 4);
  EXPECT_EQ(found.persons, 2);
}

// The link of e stays (c is the first of equals), its share follows from what others are released with.
TEST_F(LinkedPersonsTest, FollowWhatOthersAreReleasedWith) {
  add_claims({testing::claims("e", {"Joe moves", "Joe sits"})}, "moves");
  const auto rate = [&] {
    evaluate_all({"bm25/first:1/moves"});
    expect_proven();
    ReportOptions options;
    options.dataset = "d";
    for (const ReportRun& run : load_report(store(), options).runs) {
      if (run.run == "r") return *run.metrics.at(MetricId::kLinkageRatePerson).all.value;
    }
    return 0.0;
  };
  // The six others were not attacked: missing, so they count as found.
  EXPECT_NEAR(rate(), (6 + 1.0 / 3) / 7, 1e-9);
  add_run("r", {testing::variant("f", "Nobody acts."), testing::variant("g", "All act.")});
  EXPECT_NEAR(rate(), (6 + 1.0 / 2) / 7, 1e-9);
}

}  // namespace
}  // namespace residue::query
