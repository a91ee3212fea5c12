#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
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
  EXPECT_EQ(dump()[0], "record|d|a|uno||||");
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
    EXPECT_EQ(ingest({record("a", "one")}).counts, (Counts{0, 0, 1, 0}));
    EXPECT_EQ(rows("SELECT hex(content) FROM dataset"), before);
  }
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
