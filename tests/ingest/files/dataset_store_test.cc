#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "ingest/files/dataset.h"
#include "ingest/sanitize/sanitize.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class IngestDataset : public StoreTest {
 protected:
  IngestResult ingest(std::vector<RecordRow> rows, IngestOptions options = {}, const SourceIdentity& from = file()) {
    VectorSource<RecordRow> source(std::move(rows));
    return ingest_dataset(store(), "d", source, from, options);
  }
};

TEST_F(IngestDataset, MakesTheDatasetWithItsControls) {
  const auto result = ingest({record("a", "one"), record("b", "two")});
  EXPECT_EQ(result.counts, (Counts{2, 0, 0, 0}));
  EXPECT_EQ(dump(), (std::vector<std::string>{"record|d|a|one||||", "record|d|b|two||||", "run|none|none|0||{}||",
                                              "run|remove-all|remove-all|1||{}||"}));
}

TEST_F(IngestDataset, ChangesNothingWhenTheSameComesAgain) {
  RecordRow full = record("a", "one");
  full.person = "p";
  full.label = "l";
  full.task = R"({"question":"q"})";
  full.meta = R"({"x":1})";
  full.claims = {"c1", "c2"};
  const std::vector<RecordRow> rows = {full, record("b", ""), record("c", "three")};
  ingest(rows);
  const auto before = catalog();
  EXPECT_EQ(ingest(rows).counts, (Counts{0, 3, 0, 0}));
  EXPECT_EQ(catalog(), before);
}

TEST_F(IngestDataset, UpdatesWhatChangedAndKeepsTheFingerprintOfAFreshStore) {
  RecordRow old = record("a", "one");
  old.person = "p";
  ingest({old, record("b", "two")});
  const auto wanted = rows("SELECT hex(content) FROM dataset");
  EXPECT_EQ(ingest({record("a", "uno"), record("c", "three")}).counts, (Counts{1, 0, 1, 0}));
  EXPECT_NE(rows("SELECT hex(content) FROM dataset"), wanted);
  EXPECT_EQ(dump()[0], "record|d|a|uno|p|||");
  ingest({old});
  store().db().run("PRAGMA foreign_keys=ON");
  // a is as it was; c is new: the fingerprint must be that of {a, b, c} made at once.
  const auto edited = rows("SELECT hex(content) FROM dataset");
  VectorSource<RecordRow> source({old, record("b", "two"), record("c", "three")});
  ingest_dataset(store(), "e", source, file());
  EXPECT_EQ(rows("SELECT hex(content) FROM dataset WHERE name = 'e'"),
            rows("SELECT hex(content) FROM dataset WHERE name = 'd'"));
  EXPECT_EQ(rows("SELECT hex(content) FROM dataset WHERE name = 'd'"), edited);
}

TEST_F(IngestDataset, KeepsOriginalsThatSayNothingAsTheEmptyText) {
  ingest({record("a", " \xe2\x80\x8b\n"), record("b", "\xc2\xa0.")});
  EXPECT_EQ(dump()[0], "record|d|a|||||");
  EXPECT_EQ(dump()[1], "record|d|b|\xc2\xa0.||||");
  EXPECT_EQ(ingest({record("a", ""), record("b", "\xc2\xa0.")}).counts, (Counts{0, 2, 0, 0}));
}

TEST_F(IngestDataset, CountsAChangeOfAnyField) {
  struct Case {
    const char* what;
    std::optional<std::string> RecordRow::*field;
  };
  ingest({record("a", "one")});
  for (const Case& c : {Case{"person", &RecordRow::person}, Case{"label", &RecordRow::label},
                        Case{"task", &RecordRow::task}, Case{"meta", &RecordRow::meta}}) {
    SCOPED_TRACE(c.what);
    const auto before = rows("SELECT hex(content) FROM dataset");
    RecordRow row = record("a", "one");
    row.*c.field = "{}";
    EXPECT_EQ(ingest({row}).counts, (Counts{0, 0, 1, 0}));
    EXPECT_NE(rows("SELECT hex(content) FROM dataset"), before);
    EXPECT_EQ(ingest({record("a", "one")}).counts, (Counts{0, 1, 0, 0}));  // What is not said stays.
    RecordRow nothing = record("a", "one");
    nothing.empties = {true, true, true, true};
    EXPECT_EQ(ingest({nothing}).counts, (Counts{0, 0, 1, 0}));
    EXPECT_EQ(rows("SELECT hex(content) FROM dataset"), before);
  }
}

RecordRow full_record() {
  RecordRow row = record("a", "one");
  row.person = "p";
  row.label = "l";
  row.task = R"({"question":"q"})";
  row.meta = R"({"big":123456789012345678901234567890,"x":1,"y":[1.5]})";
  return row;
}

TEST_F(IngestDataset, KeepsWhatARowDoesNotHave) {
  ingest({full_record(), record("b", "two")});
  const auto before = catalog();
  EXPECT_EQ(ingest({record("b", "two"), record("a", "one")}).counts, (Counts{0, 2, 0, 0}));
  EXPECT_EQ(catalog(), before);
  RecordRow person;  // of a file of ids and persons
  person.key = "a";
  person.person = "q";
  const auto result = ingest({person});
  EXPECT_EQ(result.counts, (Counts{0, 0, 1, 0}));
  EXPECT_EQ(result.fields.changed[FieldCounts::kPerson], 1);
  EXPECT_EQ(result.fields.changed[FieldCounts::kText], 0);
  EXPECT_EQ(field_notes(result),
            (std::vector<std::string>{"1 record changed: person of 1", "1 line has no text: what is stored stays"}));
  EXPECT_EQ(rows("SELECT person, label, text_id AS 'T:t' FROM record WHERE key = 'a'"),
            (std::vector<std::string>{"q|l|one"}));
}

TEST_F(IngestDataset, MergesMetadataFieldByField) {
  ingest({full_record()});
  RecordRow row = record("a", "one");
  row.meta = R"({"w":null,"x":2})";
  EXPECT_EQ(ingest({row}).counts, (Counts{0, 0, 1, 0}));
  const std::vector<std::string> merged = {R"({"big":123456789012345678901234567890,"w":null,"x":2,"y":[1.5]})"};
  EXPECT_EQ(rows("SELECT meta_id AS 'T:m' FROM record"), merged);
  EXPECT_EQ(ingest({row}).counts, (Counts{0, 1, 0, 0}));
  row.empties[static_cast<std::size_t>(RecordField::kMeta)] = true;
  EXPECT_EQ(ingest({row}).counts, (Counts{0, 0, 1, 0}));
  EXPECT_EQ(rows("SELECT meta_id AS 'T:m' FROM record"), (std::vector<std::string>{R"({"w":null,"x":2})"}));
}

TEST_F(IngestDataset, EmptiesWhatIsSaidToBeNothing) {
  ingest({full_record()});
  RecordRow row = record("a", "one");
  row.empties = {true, false, true, false};
  const auto result = ingest({row});
  EXPECT_EQ(field_notes(result),
            (std::vector<std::string>{"1 record changed: person of 1 (emptied: 1), task of 1 (emptied: 1)"}));
  EXPECT_EQ(rows("SELECT person IS NULL, label, task_id IS NULL FROM record"), (std::vector<std::string>{"1|l|1"}));
}

TEST_F(IngestDataset, RefusesANewRecordWithoutAText) {
  RecordRow row;
  row.key = "new";
  row.person = "p";
  EXPECT_EQ(error_of([&] {
              ingest({record("a", "one"), row});
            }),
            (std::pair<int, std::string>{6, "rows.jsonl:2: field \"text\" is missing"}));
  EXPECT_TRUE(dump().empty());
}

TEST_F(IngestDataset, AppendRefusesAnotherValueOfAnyField) {
  RecordRow stored = full_record();
  stored.claims = {"c1"};
  ingest({stored});
  const auto before = catalog();
  IngestOptions append;
  append.append = true;
  struct Case {
    const char* what;
    std::optional<std::string> RecordRow::*field;
  };
  for (const Case& c : {Case{"another text", &RecordRow::text}, Case{"another person", &RecordRow::person},
                        Case{"another label", &RecordRow::label}, Case{"another task", &RecordRow::task},
                        Case{"other values in fields that are kept as metadata", &RecordRow::meta}}) {
    SCOPED_TRACE(c.what);
    RecordRow row = full_record();
    row.*c.field = R"({"x":"another"})";
    EXPECT_EQ(error_of([&] { ingest({row}, append); }).second,
              std::string("rows.jsonl:1: the record exists with ") + c.what);
    EXPECT_EQ(catalog(), before);
  }
  RecordRow row = full_record();
  row.empties[0] = true;
  EXPECT_EQ(ingest({row}, append).counts, (Counts{0, 1, 0, 0}));  // It has a person: that is what it says.
  row.person.reset();
  EXPECT_EQ(error_of([&] { ingest({row}, append); }).second, "rows.jsonl:1: the record exists with another person");
  row = full_record();
  row.claims = {"c1", "c2"};
  EXPECT_EQ(error_of([&] { ingest({row}, append); }).second, "rows.jsonl:1: the record exists with other claims");
  row.claims = {"c1"};
  EXPECT_EQ(ingest({row}, append).counts, (Counts{0, 1, 0, 0}));
  EXPECT_EQ(catalog(), before);
}

TEST_F(IngestDataset, CountsChangedFieldsOverAnInterruption) {
  ingest({record("a", "1"), record("b", "2"), record("c", "3")});
  std::vector<RecordRow> edits = {record("a", "1"), record("b", "2"), record("c", "3")};
  for (RecordRow& row : edits) row.person = "p";
  IngestOptions one;
  one.batch_rows = 1;
  int calls = 0;
  one.interrupted = [&calls] { return ++calls > 3; };
  EXPECT_EQ(error_of([&] { ingest(edits, one); }).first, 130);
  one.interrupted = {};
  EXPECT_EQ(ingest(edits, one).fields.changed[FieldCounts::kPerson], 3);
}

// What was made of the texts here is not outdated by persons and labels.
TEST_F(IngestDataset, LeavesClaimsAndRunsUpToDateWhereNoTextChanged) {
  ingest({record("a", "One nurse."), record("b", "Two nurses.")});
  atomize_dataset(store(), "d", kSentenceSet, 1);
  sanitize_dataset(store(), "d", "scrubbed", {"scrub", {}, {}, {}}, 1);
  const char* outdated =
      "SELECT s.name FROM (SELECT name, made_from FROM claim_set UNION ALL SELECT name, made_from FROM run) s, dataset "
      "d "
      "WHERE s.made_from <> d.content ORDER BY 1";
  IngestOptions one;
  one.batch_rows = 1;
  RecordRow a = record("a", "One nurse."), b = record("b", "Two nurses.");
  a.person = b.person = "p";
  a.meta = R"({"x":1})";
  ingest({a, b}, one);
  EXPECT_EQ(rows(outdated), std::vector<std::string>{});
  ingest({record("b", "Three nurses."), a}, one);
  EXPECT_EQ(rows(outdated), (std::vector<std::string>{"scrubbed", "sentences"}));
  b.text = "Three nurses.";
  b.label = "l";
  ingest({b});
  EXPECT_EQ(rows(outdated), (std::vector<std::string>{"scrubbed", "sentences"}));
}

TEST_F(IngestDataset, AppendRefusesAnotherTextAndTakesTheSame) {
  ingest({record("a", "one")});
  const auto before = catalog();
  IngestOptions append;
  append.append = true;
  const auto error = error_of([&] { ingest({record("b", "two"), record("a", "uno")}, append); });
  EXPECT_EQ(error, (std::pair<int, std::string>{6, "rows.jsonl:2: the record exists with another text"}));
  EXPECT_EQ(catalog(), before);
  EXPECT_EQ(ingest({record("a", "one"), record("b", "two")}, append).counts, (Counts{1, 1, 0, 0}));
}

TEST_F(IngestDataset, RefusesAnIdTwiceAndStoresNothing) {
  const auto error = error_of([&] { ingest({record("a", "one"), record("b", "x"), record("a", "one")}); });
  EXPECT_EQ(error, (std::pair<int, std::string>{6, "rows.jsonl:3: the id was on an earlier line already"}));
  EXPECT_TRUE(dump().empty());
}

TEST_F(IngestDataset, SkipsBadRowsAndListsTheirLines) {
  VectorSource<RecordRow> source({record("a", "one"), record("b", "x"), record("a", "two"), record("", "x"),
                                  record(std::string(1025, 'k'), "x"), record(std::string("a\0b", 3), "x")});
  source.spoil(1);
  IngestOptions skip;
  skip.skip_bad = true;
  const auto result = ingest_dataset(store(), "d", source, file(), skip);
  EXPECT_EQ(result.counts, (Counts{1, 0, 0, 5}));
  std::vector<std::uint64_t> lines;
  for (const RowError& error : result.rejected) lines.push_back(error.line);
  EXPECT_EQ(lines, (std::vector<std::uint64_t>{2, 3, 4, 5, 6}));
  EXPECT_EQ(dump()[0], "record|d|a|one||||");
}

TEST_F(IngestDataset, ReplacesTheClaimsThatAPresetCarries) {
  RecordRow row = record("a", "one");
  row.claims = {"c1", "c2", "c3"};
  ingest({row});
  row.claims = {"c1", "x2"};
  EXPECT_EQ(ingest({row}).counts, (Counts{0, 0, 1, 0}));
  EXPECT_EQ(rows("SELECT n, text_id AS 'T:t' FROM claim ORDER BY n"), (std::vector<std::string>{"1|c1", "2|x2"}));
}

TEST_F(IngestDataset, TakesOnlyNamesThatAreSafeAsFileNames) {
  for (const char* name : {"", ".hidden", "a/b", "a b", "-x", "ä"}) {
    SCOPED_TRACE(name);
    VectorSource<RecordRow> source({});
    EXPECT_EQ(error_of([&] { ingest_dataset(store(), name, source, file()); }).first, 2);
  }
  VectorSource<RecordRow> source({record("a", "x")});
  EXPECT_NO_THROW(ingest_dataset(store(), std::string(64, 'a'), source, file()));
}

TEST_F(IngestDataset, RefusesAnInputWithoutARow) {
  VectorSource<RecordRow> source({});
  EXPECT_EQ(error_of([&] { ingest_dataset(store(), "d", source, file()); }),
            (std::pair(6, std::string("rows.jsonl is empty: it has no row"))));
  EXPECT_EQ(rows("SELECT count(*) FROM dataset").front(), "0");
}

}  // namespace
}  // namespace residue::ingest::testing
