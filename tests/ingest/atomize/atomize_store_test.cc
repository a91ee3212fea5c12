#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "ingest/atomize/atomizer.h"
#include "ingest/files/dataset.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class Atomize : public StoreTest {
 protected:
  void ingest(const char* name, std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), name, source, file());
  }
  IngestResult atomize(const char* name, unsigned jobs = 1) {
    return atomize_dataset(store(), name, kSentenceSet, jobs);
  }
};

TEST_F(Atomize, MakesTheClaimsOfTheAtomizerInOrder) {
  const std::string text = "The patient is 45. She works as a nurse.";
  ingest("d", {record("a", text), record("b", "")});
  const auto result = atomize("d");
  EXPECT_EQ(result.notes,
            (std::vector<std::string>{"1 of 2 records of d have no claims in the set \"sentences\"",
                                      "1 of 2 records of d have 1 to 3 claims in the set \"sentences\": an attacker "
                                      "with random:3 knows all of them, and none is left to judge"}));
  EXPECT_EQ(rows("SELECT text_id AS 'T:t' FROM claim ORDER BY n"), residue::ingest::atomize(text));
  EXPECT_EQ(rows("SELECT name, source FROM claim_set"), (std::vector<std::string>{"sentences|sentences/1"}));
}

TEST_F(Atomize, TouchesOnlyRecordsThatChanged) {
  ingest("d", {record("a", "One. Two."), record("b", "Three. Four. Five.")});
  atomize("d");
  const auto before = catalog();
  EXPECT_EQ(atomize("d").counts, (Counts{0, 2, 0, 0}));
  EXPECT_EQ(catalog(), before);
  ingest("d", {record("b", "Three. Six.")});
  EXPECT_EQ(atomize("d").counts, (Counts{0, 1, 1, 0}));
  ingest("e", {record("a", "One. Two."), record("b", "Three. Six.")});
  atomize("e");
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM claim_set").size(), 1U);
}

TEST_F(Atomize, GivesTheSameOnAnyNumberOfThreads) {
  std::vector<RecordRow> many;
  for (int i = 0; i < 500; ++i) many.push_back(record(std::to_string(i), "Fact " + std::to_string(i) + ". And more."));
  ingest("d", many);
  atomize("d", 1);
  ingest("e", many);
  atomize("e", 3);
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM claim_set").size(), 1U);
}

TEST_F(Atomize, RefusesAnIncompleteDatasetAndAnIngestedSet) {
  ingest("d", {record("a", "One.")});
  store().db().run(
      "INSERT INTO claim_set (dataset_id, name, source, content) VALUES (1, 'sentences', 'ingested', x'')");
  EXPECT_EQ(error_of([&] { atomize("d"); }).first, 2);
  store().db().run("INSERT INTO ingest_progress VALUES ('dataset d', '/f', 1, 1, 1, '{}')");
  EXPECT_EQ(error_of([&] { atomize("d"); }),
            (std::pair<int, std::string>{6, "dataset d is incomplete: /f was not read to its end"}));
}

}  // namespace
}  // namespace residue::ingest::testing
