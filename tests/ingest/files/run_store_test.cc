#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class IngestRun : public StoreTest {
 protected:
  IngestRun() {
    VectorSource<RecordRow> source({record("a", "Ann, 45"), record("b", "Bob, 50"), record("c", "Cid, 55")});
    ingest_dataset(store(), "d", source, file());
  }
  IngestResult ingest(std::vector<VariantRow> rows, const RunSpec& spec = {}, IngestOptions options = {},
                      const SourceIdentity& from = file()) {
    VectorSource<VariantRow> source(std::move(rows));
    return ingest_run(store(), "d", "r", spec, source, from, options);
  }
  std::vector<std::string> variants() {
    return rows(
        "SELECT coalesce(v.key, r.key) AS k, v.text_id AS 'T:t', error FROM variant v"
        " LEFT JOIN record r ON r.id = record_id ORDER BY k");
  }
};

TEST_F(IngestRun, CountsFailuresApartFromTexts) {
  VariantRow failed = variant("b", "half a text");
  failed.error = "refused";
  VariantRow none;
  none.key = "c";
  const auto result = ingest({variant("a", " \n"), failed, none});
  EXPECT_EQ(variants(), (std::vector<std::string>{"a||empty", "b||refused", "c||no text"}));
  EXPECT_EQ(result.notes,
            (std::vector<std::string>{"3 of 3 variants failed, 1 of them because the sanitized text is empty"}));
}

// One and the same text for all is what a model or program says instead of working.
TEST_F(IngestRun, SaysHowManyTextsAreOneAndTheSame) {
  using Lines = std::vector<std::string>;
  const auto notes = [&](const char* a, const char* b, const char* c) {
    return ingest({variant("a", a), variant("b", b), variant("c", c)}).notes;
  };
  EXPECT_EQ(notes("No.", "No.", "No."),
            (Lines{"3 of 3 texts are one and the same: they count as failed; --texts-are-meant takes them as texts"}));
  EXPECT_EQ(notes("No.", "No.", "Yes."), Lines());
  EXPECT_EQ(notes("[NAME], <AGE>", "[NAME], <AGE>", "[NAME], <AGE>"), Lines()) << "tags alone";
  EXPECT_EQ(notes("***, __", "***, __", "***, __"), Lines());
  EXPECT_EQ(notes("[NAME], age", "[NAME], age", "[NAME], age").size(), 1U);
  // Of records that were one and the same themselves nothing is to be said.
  VectorSource<RecordRow> source({record("b", "Ann, 45")});
  ingest_dataset(store(), "d", source, file());
  EXPECT_EQ(notes("No.", "No.", "No."), Lines());
}

TEST_F(IngestRun, SaysHowManyDifferentTextsStandForManyRecords) {
  std::vector<RecordRow> originals;
  std::vector<VariantRow> rows;
  const std::vector<std::string> texts = {"A sailor by the sea.", "A baker in town.", "Nobody said who."};
  for (const char* name : {"Ann", "Bob", "Cid", "Dan", "Eve", "Flo", "Gus", "Hal", "Ida"}) {
    originals.push_back(record(name, std::string(name) + " sails, bakes and sings."));
    rows.push_back(variant(name, texts[rows.size() / 3]));
  }
  rows.back() = variant("Ida", "Somebody else.");
  VectorSource<RecordRow> source(originals);
  ingest_dataset(store(), "d", source, file());
  EXPECT_EQ(ingest(rows).notes,
            (std::vector<std::string>{"3 of 12 records of d have no variant in this run (they count as failed)",
                                      "6 of 9 texts are 2 different ones, each of several records: they count as "
                                      "failed; --texts-are-meant takes them as texts"}));
}

TEST_F(IngestRun, SaysWhenTheTextsAreTheOriginals) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(ingest({variant("a", "Ann, 45"), variant("b", "Bob, 50"), variant("c", "Cid, 55")}).notes,
            (Lines{"each of the 3 texts is the original, unchanged: check that this is the sanitizer's output"}));
  EXPECT_EQ(ingest({variant("a", "Ann, 45"), variant("b", "Bob, 50"), variant("c", "[NAME], 55")}).notes,
            (Lines{"2 of 3 texts are the originals, unchanged"}));
  EXPECT_EQ(ingest({variant("a", "Ann, 45"), variant("b", "[NAME], 50"), variant("c", "[NAME], 55")}).notes, Lines());
}

TEST_F(IngestRun, TakesEmptyTextsOfARunThatRemovesEverything) {
  RunSpec spec;
  spec.removes_everything = true;
  EXPECT_EQ(ingest({variant("a", "")}, spec).notes,
            (std::vector<std::string>{"2 of 3 records of d have no variant in this run (they count as failed)"}));
  EXPECT_EQ(variants(), (std::vector<std::string>{"a||"}));
}

TEST_F(IngestRun, KeepsTheEmptyTextOfAnEmptyRecordAndDoesNotCountItAsFailed) {
  VectorSource<RecordRow> source({record("e", ""), record("f", " \n"), record("g", "Gus")});
  ingest_dataset(store(), "d", source, file());
  const auto result = ingest(
      {variant("a", "A"), variant("b", "B"), variant("c", "C"), variant("e", ""), variant("f", " "), variant("g", "")});
  EXPECT_EQ(result.notes,
            (std::vector<std::string>{"1 of 6 variants failed, 1 of them because the sanitized text is empty"}));
  EXPECT_EQ(rows("SELECT r.key, v.text_id IS NULL, error FROM variant v JOIN record r ON r.id = record_id"
                 " WHERE r.key >= 'e' ORDER BY 1"),
            (std::vector<std::string>{"e|0|", "f|0|", "g|1|empty"}));
}

TEST_F(IngestRun, ChangesNothingWhenTheSameComesAgainAndUpdatesTheRest) {
  RunSpec spec;
  spec.sanitizer = "azure";
  spec.seed = 7;
  ingest({variant("a", "A"), variant("b", "B")}, spec);
  const auto before = catalog();
  EXPECT_EQ(ingest({variant("a", "A"), variant("b", "B")}).counts, (Counts{0, 2, 0, 0}));
  EXPECT_EQ(catalog(), before);
  EXPECT_EQ(ingest({variant("a", "A2"), variant("c", "C")}).counts, (Counts{1, 0, 1, 0}));
  EXPECT_NE(catalog(), before);
  EXPECT_EQ(rows("SELECT sanitizer, seed FROM run WHERE name = 'r'"), (std::vector<std::string>{"azure|7"}));
  EXPECT_EQ(ingest({variant("a", "A")}).counts, (Counts{0, 0, 1, 0}));
  VectorSource<VariantRow> source({variant("c", "C"), variant("b", "B"), variant("a", "A")});
  ingest_run(store(), "d", "s", {}, source, file());
  EXPECT_EQ(rows("SELECT DISTINCT hex(content) FROM run WHERE name IN ('r', 's')").size(), 1U);
}

TEST_F(IngestRun, SaysWhenNoIdOfTheFileIsKnown) {
  for (const bool skip : {false, true}) {
    SCOPED_TRACE(skip);
    IngestOptions options;
    options.skip_bad = skip;
    const auto error = error_of([&] { ingest({variant("x", "A"), variant("y", "B")}, {}, options); });
    EXPECT_EQ(error.second, "none of the 2 ids of rows.jsonl is one of the 3 records of dataset d");
    EXPECT_EQ(error.first, 6);
    EXPECT_EQ(rows("SELECT count(*) FROM run"), (std::vector<std::string>{"2"}));
  }
}

TEST_F(IngestRun, NamesTheLineOfAnUnknownId) {
  const auto error = error_of([&] { ingest({variant("x", "A"), variant("a", "B")}); });
  EXPECT_EQ(error, (std::pair<int, std::string>{6, "rows.jsonl:1: no record with this id in dataset d"}));
  EXPECT_EQ(error_of([&] {
              ingest({variant("a", "A"), variant("a", "A")});
            }).second,
            "rows.jsonl:2: the id was on an earlier line already");
}

TEST_F(IngestRun, AppendRefusesAnotherTextButRepairsAFailure) {
  ingest({variant("a", "A"), variant("b", "")});
  IngestOptions append;
  append.append = true;
  EXPECT_EQ(error_of([&] { ingest({variant("a", "A2")}, {}, append); }).second,
            "rows.jsonl:1: the variant exists with another text");
  EXPECT_EQ(ingest({variant("a", "A"), variant("b", "B"), variant("c", "C")}, {}, append).counts, (Counts{1, 1, 1, 0}));
}

TEST_F(IngestRun, NumbersSyntheticTextsByLineAndGoesOnAppending) {
  RunSpec synthetic;
  synthetic.synthetic = true;
  VariantRow one, two;
  one.text = "one";
  two.text = "two";
  ingest({one, two}, synthetic);
  IngestOptions append;
  append.append = true;
  ingest({two, variant("own", "three"), one}, synthetic, append);
  EXPECT_EQ(variants(), (std::vector<std::string>{"1|one|", "2|two|", "3|two|", "5|one|", "own|three|"}));
  ingest({one}, synthetic, append);
  EXPECT_EQ(variants()[3], "5|one|");
  EXPECT_EQ(variants()[4], "6|one|");
}

TEST_F(IngestRun, NeverChangesTheKindOfARun) {
  ingest({variant("a", "A")});
  RunSpec synthetic;
  synthetic.synthetic = true;
  EXPECT_EQ(error_of([&] { ingest({variant("a", "A")}, synthetic); }),
            (std::pair<int, std::string>{2, "the run \"r\" is aligned, and a run never changes its kind"}));
}

TEST_F(IngestRun, LeavesTheControlsAlone) {
  for (const char* name : {"none", "remove-all"}) {
    VectorSource<VariantRow> source({variant("a", "A")});
    EXPECT_EQ(error_of([&] { ingest_run(store(), "d", name, {}, source, file()); }).first, 2);
  }
  VectorSource<VariantRow> source({variant("a", "A")});
  EXPECT_EQ(error_of([&] { ingest_run(store(), "dd", "r", {}, source, file()); }).first, 3);
}

TEST_F(IngestRun, KeepsWhatStandsForWhatUntilTheRowSaysOtherwise) {
  const auto tables = [&] { return rows("SELECT substitutions_id AS 'T:t' FROM variant ORDER BY record_id"); };
  const auto content = [&] { return rows("SELECT hex(substitutions) FROM run WHERE name = 'r'")[0]; };
  VariantRow row = variant("a", "Ruth, 45");
  row.substitutions = R"([["Ann","Ruth"]])";
  ingest({row, variant("b", "Bob, 50")});
  const std::string first = content();
  EXPECT_EQ(tables(), (std::vector<std::string>{R"([["Ann","Ruth"]])", ""}));
  EXPECT_EQ(ingest({row}, {}, {}, file("/data/again.jsonl")).counts.same, 1U);
  VariantRow other = row;
  other.substitutions = R"([["Anna","Ruth"]])";
  EXPECT_EQ(ingest({other}, {}, {}, file("/data/other.jsonl")).counts.changed, 1U);
  EXPECT_NE(content(), first);
  EXPECT_EQ(ingest({row}, {}, {}, file("/data/back.jsonl")).counts.changed, 1U);
  EXPECT_EQ(content(), first);
  EXPECT_EQ(ingest({variant("a", "Ruth, 45")}, {}, {}, file("/data/silent.jsonl")).counts.same, 1U);
  EXPECT_EQ(content(), first);
  VariantRow none = variant("a", "Ruth, 45");
  none.no_substitutions = true;
  EXPECT_EQ(ingest({none}, {}, {}, file("/data/gone.jsonl")).counts.changed, 1U);
  EXPECT_EQ(tables(), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(content(), "");
  ingest({row}, {}, {}, file("/data/row.jsonl"));
  ingest({variant("a", "Eva, 45")}, {}, {}, file("/data/text.jsonl"));  // Another text has another table.
  EXPECT_EQ(content(), "");
}

// A row that is left out would pair all behind it with other records: that looks like privacy.
TEST_F(IngestRun, PairsNumberedRowsOnlyWhereNoneIsLeftOut) {
  IngestOptions numbered;
  numbered.numbered = true;
  const auto add = [&](const std::vector<std::string>& keys) {
    std::vector<RecordRow> records;
    for (const std::string& key : keys) records.push_back(record(key, "text of " + key));
    VectorSource<RecordRow> source(std::move(records));
    ingest_dataset(store(), "n", source, file(), numbered);
  };
  const auto run = [&](const std::vector<std::string>& keys) {
    std::vector<VariantRow> variants;
    for (const std::string& key : keys) variants.push_back(variant(key, "x"));
    VectorSource<VariantRow> source(std::move(variants));
    return error_of([&] { ingest_run(store(), "n", "r", {}, source, file(), numbered); }).second;
  };
  add({"2", "1", "3"});
  EXPECT_EQ(run({"1", "2", "3"}),
            "rows.jsonl:2: the record with this number comes before that of the row before: rows and records differ in "
            "their order");
  storage::Statement all = store().db().prepare("DELETE FROM dataset WHERE name = 'n'");
  all.run();
  add({"1", "2", "3"});
  EXPECT_EQ(run({"1", "2"}),
            "the last row of rows.jsonl has number 2, but the last record of dataset n has number 3; with --id auto, "
            "each row belongs to the record of its number");
  EXPECT_EQ(rows("SELECT count(*) FROM run WHERE name = 'r'"), (std::vector<std::string>{"0"}));
  EXPECT_EQ(run({"1", "2", "3"}), "");
  EXPECT_EQ(run({"1", "2", "3", "4"}), "rows.jsonl:4: no record with this id in dataset n");
}

TEST_F(IngestRun, HoldsTheOriginalOfAFileAgainstTheRecord) {
  const auto with_original = [](const char* key, const char* original) {
    VariantRow row = variant(key, "x of " + std::string(key));
    row.original = original;
    return row;
  };
  ingest({with_original("a", "Ann, 45"), with_original("b", "Bob,\t50 ")});
  EXPECT_EQ(variants(), (std::vector<std::string>{"a|x of a|", "b|x of b|"}));
  EXPECT_EQ(error_of([&] { ingest({with_original("c", "Ann, 45")}); }),
            std::pair(6, std::string("rows.jsonl:1: the original in the file is not the text of the record")));
}

}  // namespace
}  // namespace residue::ingest::testing
