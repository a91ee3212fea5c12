// Declared spending of privacy: it is parsed, is stored before the texts, and is one release with them.
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "ingest/sanitize/declared.h"
#include "storage/catalog/privacy_ledger.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class Declared : public StoreTest {
 protected:
  Declared() {
    VectorSource<RecordRow> source({record("a", "Ann keeps bees."), record("b", "Bob has gout.")});
    ingest_dataset(store(), "d", source, file());
  }
  void bring_in(const char* run, std::vector<VariantRow> rows) {
    VectorSource<VariantRow> source(std::move(rows));
    ingest_run(store(), "d", run, {}, source, file());
  }
  std::vector<storage::PrivacyRelease> counted() {
    return storage::counted_releases(storage::privacy_releases(store().db(), "d"), "record");
  }
  const DeclaredSpending spent_ = parse_declared("epsilon=2,delta=1e-6,mechanism=gaussian");
};

TEST_F(Declared, IsReadOrRefused) {
  EXPECT_EQ(spent_.spending.epsilon, 2);
  EXPECT_EQ(spent_.spending.delta, 1e-6);
  EXPECT_EQ(spent_.spending.tail, 1e-6) << "no noise pays for it";
  EXPECT_EQ(spent_.mechanism, "gaussian");
  EXPECT_EQ(spent_.unit, "record");
  const DeclaredSpending other = parse_declared("unit=person,delta=0,epsilon=inf");
  EXPECT_TRUE(std::isinf(other.spending.epsilon));
  EXPECT_EQ(other.unit, "person");
  EXPECT_EQ(other.mechanism, "");
  for (const char* bad : {"",
                          "x",
                          "epsilon=1",
                          "delta=0",
                          "epsilon=,delta=0",
                          "epsilon=1,delta=",
                          "epsilon=0,delta=0",
                          "epsilon=-1,delta=0",
                          "epsilon=nan,delta=0",
                          "epsilon=2e6,delta=0",
                          "epsilon=1x,delta=0",
                          "epsilon=1,delta=1",
                          "epsilon=1,delta=-0.1",
                          "epsilon=1,delta=nan",
                          "epsilon=1,delta=inf",
                          "epsilon=1,delta=0,rho=1",
                          "epsilon=1,epsilon=2,delta=0",
                          "epsilon=1,delta=0,mechanism=",
                          "epsilon=1,delta=0,mechanism=a\tb",
                          "epsilon=1,delta=0,unit=house",
                          "epsilon=1,delta=0,unit=",
                          "epsilon=1,,delta=0"}) {
    EXPECT_EQ(error_of([&] { parse_declared(bad); }).first, static_cast<int>(Code::kUsage)) << bad;
  }
}

TEST_F(Declared, CountsFromTheBeginningAndIsOneWithItsTexts) {
  begin_declared(store(), "d", "r", spent_);
  EXPECT_EQ(counted().size(), 1U) << "a command that is killed now";
  begin_declared(store(), "d", "r", spent_);
  bring_in("r", {variant("a", "Somebody."), variant("b", "Nobody.")});
  const auto notes = finish_declared(store(), "d", "r", spent_);
  ASSERT_EQ(counted().size(), 1U);
  EXPECT_EQ(counted()[0].noise, kDeclared);
  EXPECT_EQ(counted()[0].units, 2);
  EXPECT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].find("spent of each record by 1 release: epsilon 2 (tight)"), 0U) << notes[0];
  // Again, and under another name.
  for (const char* run : {"r", "s"}) {
    begin_declared(store(), "d", run, spent_);
    bring_in(run, {variant("a", "Somebody."), variant("b", "Nobody.")});
    finish_declared(store(), "d", run, spent_);
    EXPECT_EQ(counted().size(), 1U) << run;
  }
  // Other words about the same texts, and other texts under the same words, are other releases.
  const DeclaredSpending less = parse_declared("epsilon=1,delta=1e-6,mechanism=gaussian");
  begin_declared(store(), "d", "r", less);
  finish_declared(store(), "d", "r", less);
  EXPECT_EQ(counted().size(), 2U);
  begin_declared(store(), "d", "r", spent_);
  bring_in("r", {variant("a", "Somebody else."), variant("b", "Nobody.")});
  finish_declared(store(), "d", "r", spent_);
  EXPECT_EQ(counted().size(), 3U);
  // What was struck out counts when it is brought in again.
  const auto batch = store().write();
  storage::strike_privacy_releases(batch->db(), "d", std::nullopt, 1);
  batch->commit();
  EXPECT_EQ(counted().size(), 0U);
  begin_declared(store(), "d", "r", spent_);
  finish_declared(store(), "d", "r", spent_);
  EXPECT_EQ(counted().size(), 1U);
}

TEST_F(Declared, IsOfADatasetAndOfPersonsThatThereAre) {
  EXPECT_EQ(error_of([&] { begin_declared(store(), "e", "r", spent_); }).first, static_cast<int>(Code::kNotFound));
  DeclaredSpending persons = spent_;
  persons.unit = "person";
  EXPECT_EQ(error_of([&] { begin_declared(store(), "d", "r", persons); }).first, static_cast<int>(Code::kUsage));
  EXPECT_TRUE(storage::privacy_releases(store().db(), "d").empty());
}

TEST_F(Declared, SaysWhatALargeDeltaMeans) {
  bring_in("r", {variant("a", "Somebody.")});
  const auto notes = [&](const char* words) {
    const DeclaredSpending declared = parse_declared(words);
    begin_declared(store(), "d", "r", declared);
    return finish_declared(store(), "d", "r", declared);
  };
  EXPECT_EQ(notes("epsilon=1,delta=0.05").size(), 1U);
  EXPECT_NE(notes("epsilon=1,delta=0.06").at(1).find("is large"), std::string::npos);
  EXPECT_NE(notes("epsilon=1,delta=0.5").at(1).find("1/n or more of 2 records"), std::string::npos);
}

}  // namespace
}  // namespace residue::ingest::testing
