#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize_run.h"
#include "ingest/files/dataset.h"
#include "ingest/files/remove.h"
#include "ingest/files/run.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class AtomizeRun : public StoreTest {
 protected:
  AtomizeRun() {
    VectorSource<RecordRow> source({record("a", "x"), record("b", "y"), record("c", ""), record("d", "z")});
    ingest_dataset(store(), "d", source, file());
    VariantRow failed = variant("b", "");
    failed.error = "refused";
    put("r", {variant("a", "One. Two."), failed, variant("c", "")});
  }
  void put(const char* run, std::vector<VariantRow> rows, bool synthetic = false) {
    RunSpec spec;
    spec.synthetic = synthetic;
    VectorSource<VariantRow> source(std::move(rows));
    ingest_run(store(), "d", run, spec, source, file());
  }
  IngestResult atomize(const char* run = "r", const char* set = "sentences", unsigned jobs = 1) {
    return atomize_run(store(), "d", run, set, jobs);
  }
  std::vector<std::string> claims() {
    return rows(
        "SELECT u.name, s.name, coalesce(r.key, v.key), c.n, c.text_id AS 'T:t' FROM run_claim c "
        "JOIN run_claim_set s ON s.id = c.set_id JOIN run u ON u.id = s.run_id JOIN variant v ON v.id = c.variant_id "
        "LEFT JOIN record r ON r.id = v.record_id ORDER BY 1, 2, 3, 4");
  }
  std::vector<std::string> outdated() {
    return rows("SELECT s.name FROM run_claim_set s JOIN run r ON r.id = run_id WHERE s.made_from IS NOT r.content");
  }
};

using Lines = std::vector<std::string>;

TEST_F(AtomizeRun, MakesTheClaimsOfUsableVariants) {
  const IngestResult result = atomize();
  EXPECT_EQ(result.counts, (Counts{1, 2, 0, 0}));
  EXPECT_EQ(result.notes, (Lines{"2 of 3 variants of d/r have no claims in the set \"sentences\"; 1 failed"}));
  EXPECT_EQ(claims(), (Lines{"r|sentences|a|1|One.", "r|sentences|a|2|Two."}));
  EXPECT_EQ(outdated(), Lines{});
}

TEST_F(AtomizeRun, TouchesOnlyVariantsThatChanged) {
  atomize();
  const auto before = catalog();
  EXPECT_EQ(atomize().counts, (Counts{0, 3, 0, 0}));
  EXPECT_EQ(catalog(), before);
  put("r", {variant("a", "One. Three. Four."), variant("b", "Five."), variant("d", "Six.")});
  EXPECT_EQ(outdated(), (Lines{"sentences"}));
  EXPECT_EQ(atomize().counts, (Counts{2, 1, 1, 0}));
  EXPECT_EQ(outdated(), Lines{});
  VariantRow failed = variant("a", "");
  failed.error = "refused";
  put("r", {failed, variant("b", "Seven.")});
  EXPECT_EQ(atomize().counts, (Counts{0, 2, 2, 0}));
  EXPECT_EQ(claims(), (Lines{"r|sentences|b|1|Seven.", "r|sentences|d|1|Six."}));
}

TEST_F(AtomizeRun, FingerprintsWhatIsThereWhateverTheWayThere) {
  put("s", {variant("b", "Zero."), variant("a", "One. Two. Three. Four.")});
  atomize("s");
  put("s", {variant("a", "Six. Seven."), variant("b", "Two. One.")});
  atomize("s");
  put("t", {variant("b", "Two. One."), variant("a", "Six. Seven.")});
  atomize("t", "mine", 3);
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM run_claim_set").size(), 1U);
  put("t", {variant("a", "Seven. Six.")});
  atomize("t", "mine");
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM run_claim_set").size(), 2U);
}

TEST_F(AtomizeRun, AtomizesSyntheticRuns) {
  put("s", {variant("s1", "One."), variant("s2", "Two.")}, true);
  atomize("s", "mine");
  EXPECT_EQ(claims(), (Lines{"s|mine|s1|1|One.", "s|mine|s2|1|Two."}));
  EXPECT_EQ(outdated(), Lines{});
}

TEST_F(AtomizeRun, ContinuesAfterAnInterruption) {
  std::vector<VariantRow> many;
  for (int i = 0; i < 5000; ++i) many.push_back(variant("s" + std::to_string(i), "Fact " + std::to_string(i) + "."));
  put("s", many, true);
  IngestOptions options;
  int asked = 0;
  options.interrupted = [&] { return asked++ > 0; };
  EXPECT_EQ(error_of([&] { atomize_run(store(), "d", "s", "sentences", 1, options); }).first, 130);
  EXPECT_EQ(rows("SELECT target, lines FROM ingest_progress"), (Lines{"claims d/s/sentences|4096"}));
  EXPECT_EQ(outdated(), (Lines{"sentences"}));
  rename_run(store(), "d", "s", "other");
  rename_dataset(store(), "d", "e");
  EXPECT_EQ(rows("SELECT target FROM ingest_progress"), (Lines{"claims e/other/sentences"}));
  EXPECT_EQ(atomize_run(store(), "e", "other", "sentences", 1).counts, (Counts{904, 4096, 0, 0}));
  EXPECT_EQ(rows("SELECT target FROM ingest_progress"), Lines{});
  store().db().run("INSERT INTO ingest_progress VALUES ('claims e/other/sentences', '(atomize)', 0, 0, 1, '{}')");
  remove_run(store(), "e", "other");
  EXPECT_EQ(rows("SELECT target FROM ingest_progress"), Lines{});
  EXPECT_EQ(rows("SELECT count(*) FROM run_claim"), (Lines{"0"}));
}

TEST_F(AtomizeRun, KeepsItsTextsFromGarbage) {
  atomize();
  EXPECT_EQ(store().collect_garbage().texts, 0U);
  EXPECT_EQ(claims().size(), 2U);
}

TEST_F(AtomizeRun, RefusesControlsAndIncompleteRuns) {
  for (const char* control : {"none", "remove-all"}) EXPECT_EQ(error_of([&] { atomize(control); }).first, 2);
  EXPECT_EQ(error_of([&] { atomize("q"); }).first, 3);
  EXPECT_EQ(error_of([&] { atomize("r", "no name"); }).first, 2);
  store().db().run("INSERT INTO ingest_progress VALUES ('run d/r', '-', 0, 0, 1, '{}')");
  EXPECT_EQ(error_of([&] { atomize(); }).first, 6);
}

}  // namespace
}  // namespace residue::ingest::testing
