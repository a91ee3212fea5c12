#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/files/dataset.h"
#include "ingest/files/labels.h"
#include "ingest/files/remove.h"
#include "ingest/files/run.h"
#include "ingest/sanitize/sanitize.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

class Sanitize : public StoreTest {
 protected:
  Sanitize() { ingest({record("a", "Write to ann@example.org."), record("b", "Nothing here."), record("c", "")}); }
  void ingest(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  IngestResult sanitize(const char* method, const char* run, unsigned jobs = 2) {
    SanitizePlan plan;
    plan.method = method;
    return sanitize_dataset(store(), "d", run, plan, jobs);
  }
};

TEST_F(Sanitize, MakesAnAlignedRunThatSaysHowItWasMade) {
  EXPECT_EQ(sanitize("scrub", "s").counts, (Counts{3, 0, 0, 0}));
  EXPECT_EQ(rows("SELECT kind, sanitizer, json_extract(params, '$.method') FROM run WHERE name = 's'"),
            (std::vector<std::string>{"aligned|scrub|scrub"}));
  const auto variants = rows("SELECT text_id AS 'T:t', error FROM variant ORDER BY record_id");
  EXPECT_EQ(variants[0].find("ann@example.org"), std::string::npos);
  EXPECT_EQ(variants[1], "Nothing here.|");
  EXPECT_EQ(variants[2], "|");
  EXPECT_EQ(rows("SELECT count(*) FROM variant WHERE text_id IS NULL"), (std::vector<std::string>{"0"}));
  EXPECT_EQ(sanitize("scrub", "s").notes, (std::vector<std::string>{"1 of 3 texts are as they were"}));
  EXPECT_TRUE(sanitize("none", "n").notes.empty()) << "it is meant to change nothing";
}

TEST_F(Sanitize, TouchesOnlyRecordsThatChanged) {
  sanitize("scrub", "s", 1);
  const auto before = catalog();
  EXPECT_EQ(sanitize("scrub", "s", 3).counts, (Counts{0, 3, 0, 0}));
  EXPECT_EQ(catalog(), before);
  ingest({record("b", "Call bob@example.org."), record("e", "New.")});
  EXPECT_EQ(sanitize("scrub", "s").counts, (Counts{1, 2, 1, 0}));
}

// Without the work: of a sweep all values are looked at before the first run is made.
TEST_F(Sanitize, TellsBeforehandWhatCannotBeMade) {
  const auto check = [&](const char* method, std::map<std::string, std::string> params, const char* run = "r") {
    SanitizePlan plan;
    plan.method = method;
    plan.params = std::move(params);
    return error_of([&] { check_sanitize(store(), "d", run, plan); });
  };
  const auto before = catalog();
  const std::string train = dir_ / "train.txt";
  std::ofstream(train) << "a line\n";
  EXPECT_EQ(check("scrub", {}).first, 0);
  EXPECT_EQ(check("p-filter", {{"train", train}}).first, 0);
  EXPECT_EQ(check("p-filter", {{"train", "d"}, {"own", "yes"}}).first, 0);
  EXPECT_EQ(check("dp-ngram", {{"epsilon", "3"}}).first, 0) << "that there is nothing to release is found later";
  EXPECT_EQ(check("p-filter", {{"train", train}, {"p", "0"}}).first, 2);
  EXPECT_EQ(check("p-filter", {}).first, 2);
  EXPECT_EQ(check("p-filter", {{"train", "d"}}).first, 2);
  EXPECT_EQ(check("p-filter", {{"train", dir_ / "none.txt"}}).first, 3);
  EXPECT_EQ(check("scrub", {{"replacement", "tags"}}).first, 2);
  EXPECT_EQ(check("scrub", {{"names", dir_ / "none.txt"}}).first, 3);
  EXPECT_EQ(check("ngram", {{"code", "x"}}).first, 2);
  EXPECT_EQ(check("oracle-spans", {}).first, 2);
  EXPECT_EQ(check("command", {}).first, 2);
  EXPECT_EQ(check("scrub", {}, "none").first, 2);
  EXPECT_EQ(check("scrub", {}, "a/b").first, 2);
  EXPECT_EQ(check("anonymize", {}).first, 2);
  EXPECT_EQ(catalog(), before);
  VectorSource<VariantRow> source({variant("a", "A")});
  ingest_run(store(), "d", "files", {}, source, file());
  EXPECT_EQ(check("scrub", {}, "files").first, 2);
  sanitize("none", "aligned");
  EXPECT_EQ(check("ngram", {}, "aligned").first, 2);
}

TEST_F(Sanitize, TakesEmptyTextsOfTheMethodThatRemovesEverything) {
  EXPECT_TRUE(sanitize("remove-all", "gone").notes.empty());
  EXPECT_EQ(rows("SELECT count(*) FROM variant WHERE text_id IS NULL"), (std::vector<std::string>{"0"}));
}

TEST_F(Sanitize, AcceptsTheControlsAndChangesNothing) {
  const auto before = catalog();
  EXPECT_EQ(sanitize("none", "none").counts, (Counts{0, 3, 0, 0}));
  EXPECT_EQ(sanitize("remove-all", "remove-all").counts, (Counts{0, 3, 0, 0}));
  EXPECT_EQ(error_of([&] { sanitize("scrub", "none"); }).first, 2);
  EXPECT_EQ(catalog(), before);
}

TEST_F(Sanitize, LeavesRunsFromFilesAlone) {
  VectorSource<VariantRow> source({variant("a", "A")});
  RunSpec spec;
  spec.sanitizer = "scrub";
  ingest_run(store(), "d", "r", spec, source, file());
  EXPECT_EQ(error_of([&] { sanitize("scrub", "r"); }),
            (std::pair<int, std::string>{2, "the run \"r\" was read from files"}));
}

TEST_F(Sanitize, RunsAreRenamedAndRemoved) {
  sanitize("scrub", "azure");
  rename_run(store(), "d", "azure", "azur");
  EXPECT_EQ(error_of([&] { rename_run(store(), "d", "azur", "none"); }).first, 2);
  EXPECT_EQ(error_of([&] { remove_run(store(), "d", "none"); }).first, 2);
  EXPECT_EQ(error_of([&] { remove_run(store(), "d", "azuer"); }),
            (std::pair<int, std::string>{3, "no run \"azuer\" in dataset d; did you mean \"azur\"?"}));
  EXPECT_EQ(remove_run(store(), "d", "azur").variants, 3U);
  rename_dataset(store(), "d", "e");
  EXPECT_EQ(error_of([&] { remove_dataset(store(), "d"); }).first, 3);
  EXPECT_EQ(remove_dataset(store(), "e").records, 3U);
  EXPECT_TRUE(dump().empty());
}

TEST_F(Sanitize, KeepsTheSpansAndTheirTypes) {
  ingest({record("a", "Write to ann@example.org."), record("b", "No identifier here.")});
  SanitizePlan plan;
  plan.method = "scrub";
  const char* kTables = "SELECT spans_id AS 'T:t' FROM variant WHERE spans_id IS NOT NULL";
  sanitize_dataset(store(), "d", "tags", plan, 2);
  EXPECT_EQ(rows(kTables), (std::vector<std::string>{R"([[9,24,"email","[EMAIL]"]])"}));
  // Older stores lack these tables.
  store().db().prepare("UPDATE variant SET spans_id = NULL").run();
  store().db().prepare("DELETE FROM program_answer").run();
  EXPECT_EQ(sanitize_dataset(store(), "d", "tags", plan, 2).counts.changed, 1U) << "the text alone is not all of it";
  store().collect_garbage();
  EXPECT_EQ(rows(kTables), (std::vector<std::string>{R"([[9,24,"email","[EMAIL]"]])"}));
}

TEST_F(Sanitize, KeepsWhatStandsForWhat) {
  ingest({record("a", "Write to ann@example.org, bob@example.org or ann@example.org."), record("b", "On 2021-03-04.")});
  SanitizePlan plan;
  plan.method = "scrub";
  const char* kTables = "SELECT substitutions_id AS 'T:t' FROM variant WHERE substitutions_id IS NOT NULL";
  sanitize_dataset(store(), "d", "tags", plan, 2);
  EXPECT_TRUE(rows(kTables).empty()) << "a tag stands for any of its type";
  plan.params["replacement"] = "token";
  plan.params["types"] = "email";
  sanitize_dataset(store(), "d", "numbers", plan, 2);
  EXPECT_EQ(rows(kTables),
            (std::vector<std::string>{R"([["ann@example.org","[EMAIL_1]"],["bob@example.org","[EMAIL_2]"]])"}));
}

// Of a sweep every run after the first: told by a file whose size and time say that it has not changed.
TEST_F(Sanitize, ReadsATrainingTextOnceAndAgainWhenItChanges) {
  const auto path = dir_ / "train.txt";
  const auto trained_on = [&](const std::string& source) {
    SanitizePlan plan;
    plan.method = "p-filter";
    plan.params = {{"train", source}};
    sanitize_dataset(store(), "d", "p", plan, 1);
    return rows("SELECT json_extract(params, '$.trained_on') FROM run WHERE name = 'p'").at(0);
  };
  const auto write = [&](const char* text) { std::ofstream(path) << text; };
  write("one line\n");
  const auto time = std::filesystem::last_write_time(path);
  const std::string first = trained_on(path);
  write("two line\n");
  std::filesystem::last_write_time(path, time);
  EXPECT_EQ(trained_on(path), first);
  std::filesystem::last_write_time(path, time + std::chrono::seconds(1));
  const std::string second = trained_on(path);
  EXPECT_NE(second, first);
  const auto train = [&](const char* text) {
    VectorSource<RecordRow> source({record("t", text)});
    ingest_dataset(store(), "train", source, file());
  };
  train("one line");
  EXPECT_EQ(trained_on("train"), first) << "the same text";
  train("two line");
  EXPECT_EQ(trained_on("train"), second);
}

TEST_F(Sanitize, TrainsOnNoTextThatItSanitizesUnlessAsked) {
  ingest({record("a", "Ann Vogel lives in Oslo.\nShe keeps bees and plays the accordion."), record("b", "Thank you.")});
  const auto path = dir_ / "train.txt";
  const auto train = [&](const char* text, const char* own) {
    std::ofstream(path) << text;
    SanitizePlan plan;
    plan.method = "p-filter";
    plan.params = {{"train", path}, {"own", own}};
    sanitize_dataset(store(), "d", "p", plan, 1);
  };
  EXPECT_NO_THROW(train("Thank you.\nAnn Vogel lives in Bergen. She keeps bees and plays the accordion.\n", "no"));
  const char* own = "Thank you.\nAnn Vogel  lives in Oslo. She keeps bees and plays the accordion.\n";
  EXPECT_EQ(error_of([&] { train(own, "no"); }),
            (std::pair<int, std::string>{
                2, "p-filter: 1 of the records that it sanitizes is among the texts that its model is trained on"}));
  EXPECT_NO_THROW(train(own, "yes"));
}

TEST_F(Sanitize, MasksGoldSpans) {
  const auto oracle = [&](std::map<std::string, std::string> params) {
    SanitizePlan plan;
    plan.method = "oracle-spans";
    plan.params = std::move(params);
    sanitize_dataset(store(), "d", "o", plan, 2);
    return rows("SELECT text_id AS 'T:t', error FROM variant ORDER BY record_id");
  };
  EXPECT_EQ(error_of([&] { oracle({}); }).first, 2) << "no labels";
  const auto mark = [](std::int64_t start, std::int64_t end, const char* identifier, const char* annotator) {
    LabelRow row;
    row.record = "a";
    row.start = start;
    row.end = end;
    row.unit = "byte";
    row.payload = fmt::format(R"({{"start":{},"end":{},"type":"MAIL","identifier":"{}","annotator":"{}"}})", start, end,
                              identifier, annotator);
    return row;
  };
  VectorSource<LabelRow> source({mark(9, 24, "DIRECT", "a1"), mark(0, 5, "QUASI", "a2"), mark(6, 8, "NO_MASK", "a1")});
  ingest_labels(store(), "d", "span", std::nullopt, source, file());
  EXPECT_EQ(oracle({}), (std::vector<std::string>{"[MAIL] to [MAIL].|", "Nothing here.|", "|"}));
  EXPECT_EQ(oracle({{"annotator", "a1"}})[0], "Write to [MAIL].|");
  EXPECT_EQ(oracle({{"quasi", "no"}})[0], "Write to [MAIL].|");
  EXPECT_EQ(oracle({{"share", "0"}})[0], "Write to ann@example.org.|");
  EXPECT_EQ(error_of([&] { oracle({{"annotator", "a3"}}); }).first, 2);
  ingest({record("a", "Short.")});
  EXPECT_EQ(oracle({})[0], "|a gold span does not fit the text any more");
}

}  // namespace
}  // namespace residue::ingest::testing
