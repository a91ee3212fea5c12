// quick: files are held against each other first, and the numbers are those of the commands one by one.
#include "verbs/quick.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "ingest/batches/progress.h"
#include "ingest/files/dataset.h"
#include "ingest/files/run.h"
#include "query/evaluate/evaluate.h"
#include "query/report/report.h"
#include "storage/store.h"
#include "tests/verbs/scratch.h"
#include "verbs/passing_folder.h"

namespace residue::verbs {
namespace {

namespace fs = std::filesystem;

class Quick : public ::testing::Test {
 protected:
  void SetUp() override { storage::Store::create(dir_); }

  std::string file(const std::string& name, const std::vector<std::string>& lines) {
    fs::create_directories((dir_ / name).parent_path());
    std::ofstream out(dir_ / name, std::ios::binary);
    for (const std::string& line : lines) out << line << "\n";
    return (dir_ / name).string();
  }
  static std::string row(const std::string& id, const std::string& text) {
    return R"({"id": ")" + id + R"(", "text": ")" + text + R"("})";
  }
  std::string originals() {
    return file("o.jsonl", {row("a", "Ann lives in Bergen. She has asthma. She owns a red boat. She sings in a choir."),
                            row("b", "Bob lives in Oslo. He has gout. He drives a blue van. He plays the cello."),
                            row("c", "Cem lives in Molde. He has no illness. He bakes bread. He walks to work.")});
  }
  std::string refusal(const std::string& original, const std::string& sanitized, const QuickFields& fields = {}) {
    try {
      compare_files(original, sanitized, fields);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  ScratchFolder scratch_;
  fs::path dir_ = scratch_.path();
};

TEST_F(Quick, FilesThatDoNotBelongTogetherAreRefusedBeforeAnyNumber) {
  const std::string o = originals();
  EXPECT_EQ(refusal(o, o), "both names are of the same file");
  EXPECT_EQ(
      refusal(o, file("copy.jsonl",
                      {row("a", "Ann lives in Bergen. She has asthma. She owns a red boat. She sings in a choir.")})),
      "every sanitized text is its original, word for word: nothing was sanitized");
  EXPECT_EQ(refusal(o, file("x.jsonl", {row("x", "one"), row("y", "two")})), "no id of x.jsonl is one of o.jsonl");
  EXPECT_EQ(refusal(o, file("n.jsonl", {R"({"text": "one"})"})), "one file has ids and the other has none");
  const std::string without = file("p.jsonl", {R"({"text": "one two"})", R"({"text": "three"})"});
  EXPECT_EQ(refusal(without, file("q.jsonl", {R"({"text": "one"})"})),
            "the files have no ids and differ in length: 2 originals, 1 sanitized");
  EXPECT_EQ(refusal(file("bad.jsonl", {row("a", "x"), "{"}), o), "bad.jsonl:2: not one JSON object");
  EXPECT_EQ(refusal(o, file("empty.jsonl", {})), "empty.jsonl has no records");
  EXPECT_EQ(refusal(o, (dir_ / "nowhere.jsonl").string()), "no file nowhere.jsonl");
  EXPECT_EQ(refusal(file("twice.jsonl", {row("a", "x"), row("a", "y")}), o),
            "twice.jsonl:2: the id was on an earlier line already");
  EXPECT_EQ(refusal(file("note.jsonl", {R"({"id": "a", "note": "x"})"}), o), "note.jsonl:1: field \"text\" is missing");
}

TEST_F(Quick, IdsThatHardlyMatchAreRefusedAndASampleIsNot) {
  const std::string o = originals();
  const std::vector<std::string> strangers = {row("x", "one"), row("y", "two"), row("a", "three")};
  EXPECT_EQ(refusal(o, file("few.jsonl", strangers)), "1 of 3 ids of few.jsonl are in o.jsonl");
  const std::string sample = file("sample.jsonl", {row("a", "Ann lives in Bergen.")});
  EXPECT_EQ(refusal(sample, file("all.jsonl", strangers)), "accepted");  // originals are a sample of what was sanitized
}

TEST_F(Quick, WhiteSpaceAloneIsNoSanitizing) {
  EXPECT_EQ(refusal(file("o.jsonl", {row("a", "Ann sings. ")}), file("s.jsonl", {row("a", " Ann  sings.")})),
            "every sanitized text is its original, word for word: nothing was sanitized");
}

TEST_F(Quick, TextsThatAreNoneAreRefusedWhereThereAreNoOthers) {
  const std::string o = originals();
  const std::string refused = row("a", "I'm sorry, but I cannot help with that.");
  EXPECT_EQ(refusal(o, file("s.jsonl", {refused, row("b", " "), R"({"id": "c", "text": null})"})),
            "every text of s.jsonl is empty, a refusal or an error message: nothing to measure");
  const QuickFiles files = compare_files(o, file("t.jsonl", {refused, row("b", "Somebody plays.")}), {});
  EXPECT_EQ(files.failed, 1U);
}

TEST_F(Quick, ReadingCanBeInterrupted) {
  const std::string o = originals(), s = file("s.jsonl", {row("a", "Somebody sings.")});
  for (int rows = 0; rows < 5; ++rows) {  // in the originals, and in the other file
    int asked = 0;
    const auto after = [&] { return ++asked > rows; };
    try {
      compare_files(o, s, {}, after);
      ADD_FAILURE() << "went on after " << rows << " rows";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kInterrupted);
    }
  }
}

TEST_F(Quick, RowsInAnotherOrderAreRefused) {
  const auto text = [](const std::string& words) { return R"({"text": ")" + words + R"("})"; };
  const std::string o =
      file("o.jsonl", {text("Ann has asthma, a red boat and a choir."), text("Bob has gout, a blue van and a cello."),
                       text("Cem bakes bread, walks and hates snow.")});
  const std::vector<std::string> sanitized = {text("Somebody has asthma, a red boat and a choir."),
                                              text("Somebody has gout, a blue van and a cello."),
                                              text("Somebody bakes bread, walks and hates snow.")};
  EXPECT_EQ(refusal(o, file("same.jsonl", sanitized)), "accepted");
  EXPECT_EQ(refusal(o, file("turned.jsonl", {sanitized[1], sanitized[2], sanitized[0]})),
            "row n of one file is not row n of the other: 3 of 3 sanitized texts look like another original");
  const QuickFiles files = compare_files(originals(),
                                         file("one.jsonl", {row("a", "Somebody drives a blue van and plays the cello."),
                                                            row("b", "He has gout."), row("c", "He bakes bread.")}),
                                         {});
  EXPECT_EQ(files.elsewhere, 1U);
  EXPECT_EQ(refusal(originals(), file("ids.jsonl", {row("a", "Somebody drives a blue van and plays the cello.")})),
            "the same ids are not the same records: 1 of 1 sanitized texts look like another original");
}

TEST_F(Quick, FilesTheWrongWayRoundAreNoticedByTheirMasks) {
  const std::string masked = file("m.jsonl", {row("a", "[NAME] lives in [CITY]."), row("b", "*** lives in ___.")});
  const std::string plain = file("p.jsonl", {row("a", "Ann lives in Bergen."), row("b", "Bob lives in Oslo.")});
  EXPECT_EQ(compare_files(masked, plain, {}).remarks,
            (std::vector<std::string>{
                "the originals hold more masks than the sanitized texts: are the files in the right order?"}));
  EXPECT_TRUE(compare_files(plain, masked, {}).remarks.empty());
}

TEST_F(Quick, TwoFieldsOfOneFileAreAsGoodAsTwoFiles) {
  const std::string both =
      file("both.jsonl", {R"({"id": "a", "note": "Ann lives in Bergen.", "masked": "Somebody lives in Bergen."})"});
  EXPECT_EQ(
      compare_files(both, both, {.id = {}, .text = "note", .sanitized_id = {}, .sanitized_text = "masked"}).sanitized,
      1U);
  EXPECT_EQ(refusal(both, both, {.id = {}, .text = "note", .sanitized_id = {}, .sanitized_text = "note"}),
            "both names are of the same file");
}

TEST_F(Quick, OfShortRecordsTheAttackerKnowsOneSentence) {
  QuickOptions options;
  options.originals = file("o.jsonl", {row("a", "Ann lives in Bergen. She sings."), row("b", "Bob has gout. He bakes."),
                                       row("c", "Cem walks. He hates snow.")});
  options.sanitized =
      file("s.jsonl", {row("a", "Ann lives there. She sings."), row("b", "Bob has gout."), row("c", "Cem walks.")});
  storage::Store store(dir_ / ".residue");
  const QuickResult result = quick(store, options, look_at_files(options));
  EXPECT_EQ(result.report.spec.policy.k, 1U);
  EXPECT_EQ(result.report.uncovered.sum(), 0);
  ASSERT_FALSE(result.worst.empty());
}

TEST_F(Quick, WhatIsMissingUnknownOrUnchangedIsCountedAndSaid) {
  const QuickFiles files = compare_files(
      originals(),
      file("s.jsonl", {row("a", "Somebody has asthma."),
                       row("b", "Bob lives in Oslo. He has gout. He drives a blue van. He plays the cello."),
                       row("zz", "who is this"), row("a", "Once more."), "[1]"}),
      {});
  EXPECT_EQ(files.originals, 3U);
  EXPECT_EQ(files.sanitized, 2U);
  EXPECT_EQ(files.without, 1U);
  EXPECT_EQ(files.unknown, 1U);
  EXPECT_EQ(files.unchanged, 1U);
  EXPECT_EQ(files.unusable, 1U);
  EXPECT_EQ(files.repeated, 1U);
  EXPECT_FALSE(files.numbered);
  EXPECT_EQ(files.remarks.size(), 5U);
}

// What is missing is not said to be empty, nor the other way round; each of its own number.
TEST_F(Quick, MissingFailedAndRepeatedTextsAreSaidApart) {
  std::vector<std::string> originals, sanitized;
  const std::vector<std::string> names = {"Ann", "Bob", "Cid", "Dan", "Eve", "Flo", "Gus", "Hal"};
  for (const std::string& name : names) {
    originals.push_back(row(name, name + " lives by the sea. " + name + " has asthma. " + name + " owns " + name +
                                      "'s boat. " + name + " sings in " + name + "'s choir."));
  }
  for (std::size_t i = 0; i < 3; ++i) sanitized.push_back(row(names[i], names[i] + " sings."));
  QuickOptions options;
  options.originals = file("o.jsonl", originals);
  options.sanitized = file("missing.jsonl", sanitized);
  {
    storage::Store store(dir_ / ".residue");
    const QuickResult result = quick(store, options, look_at_files(options));
    EXPECT_EQ(result.remarks,
              std::vector<std::string>{"5 of 8 originals have no sanitized text: they count as leaked"});
    EXPECT_EQ(result.telling, result.remarks);
    EXPECT_EQ(result.failed, 0U);
  }
  sanitized.push_back(row(names[3], ""));
  for (std::size_t i = 4; i < 7; ++i) sanitized.push_back(row(names[i], "A person."));
  sanitized.push_back(row("zz", "Who is this?"));
  options.sanitized = file("bad.jsonl", sanitized);
  storage::Store::create(dir_ / "second");
  storage::Store store(dir_ / "second" / ".residue");
  const QuickResult result = quick(store, options, look_at_files(options));
  EXPECT_EQ(result.telling,
            (std::vector<std::string>{
                "1 of 8 originals have no sanitized text: they count as leaked",
                "1 sanitized texts belong to no original: left out",
                "1 of 7 sanitized texts are empty, refusals, or error messages: they count as leaked",
                "3 of 7 sanitized texts stand for many records whose originals differ: they count as leaked"}));
  EXPECT_EQ(result.failed, 4U);
  EXPECT_EQ(result.one_for_many, 3U);
}

TEST_F(Quick, IdsAndTextsMayBeCalledOtherwiseInTheOtherFile) {
  const std::string other = file("out.csv", {"note,output", "a,Somebody sings", "b,Somebody plays"});
  const QuickFiles files =
      compare_files(originals(), other, {.id = {}, .text = {}, .sanitized_id = "note", .sanitized_text = "output"});
  EXPECT_EQ(files.sanitized, 2U);
}

TEST_F(Quick, RowsWithoutIdsBelongTogetherByTheirNumbers) {
  const QuickFiles files = compare_files(file("p.jsonl", {R"({"text": "one two"})", R"({"text": "three four"})"}),
                                         file("q.jsonl", {R"({"text": "one"})", R"({"text": "four"})"}), {});
  EXPECT_TRUE(files.numbered);
  EXPECT_EQ(files.sanitized, 2U);
  ASSERT_EQ(files.remarks.size(), 1U);
}

TEST_F(Quick, FoldersOfTextsAreReadByTheirNames) {
  file("o/b.txt", {"Bob lives in Oslo."});
  file("o/a.txt", {"\xef\xbb\xbf"
                   "Ann lives in Bergen."});
  file("o/notes.md", {"not a text"});
  file("s/a.txt", {"Somebody lives in Bergen."});
  const QuickFiles files = compare_files((dir_ / "o").string(), (dir_ / "s").string(), {});
  EXPECT_EQ(files.originals, 2U);
  EXPECT_EQ(files.sanitized, 1U);
  file("latin/a.txt", {"caf\xe9"});
  EXPECT_EQ(refusal((dir_ / "latin").string(), (dir_ / "s").string()), "a.txt is not UTF-8");
  fs::create_directories(dir_ / "none");
  EXPECT_EQ(refusal((dir_ / "none").string(), (dir_ / "s").string()), "the folder none has no .txt files");
}

// The same by the library's parts, one after the other, in a second store.
TEST_F(Quick, TheNumbersAreThoseOfTheCommandsOneByOne) {
  const std::string sanitized = file("s.jsonl", {row("a", "Ann has asthma and a red boat. She sings."),
                                                 row("b", "He has gout. He drives a van."), row("c", "He bakes.")});
  QuickOptions options;
  options.originals = originals();
  options.sanitized = sanitized;
  storage::Store store(dir_ / ".residue");
  const QuickResult result = quick(store, options, look_at_files(options));

  storage::Store::create(dir_ / "second");
  storage::Store second(dir_ / "second" / ".residue");
  ingest::RecordSourceOptions records;
  records.path = options.originals;
  ingest::ingest_dataset(second, "d", *ingest::open_records(records), ingest::identify(records));
  ingest::atomize_dataset(second, "d", "sentences", 1);
  ingest::VariantSourceOptions variants;
  variants.path = sanitized;
  ingest::ingest_run(second, "d", "r", {}, *ingest::open_variants(variants), ingest::identify(variants));
  query::evaluate(second, {{"d", std::nullopt}}, {});
  query::ReportOptions wanted;
  wanted.dataset = "d";
  const query::Report expected = query::load_report(second, wanted);

  ASSERT_EQ(result.report.runs.size(), 3U);
  ASSERT_EQ(expected.runs.size(), 3U);
  std::size_t values = 0;
  for (std::size_t i = 0; i < expected.runs.size(); ++i) {
    for (const auto& [id, metric] : expected.runs[i].metrics) {
      ASSERT_TRUE(result.report.runs[i].metrics.contains(id));
      EXPECT_EQ(result.report.runs[i].metrics.at(id).all.value, metric.all.value);
      values += metric.all.value ? 1 : 0;
    }
  }
  EXPECT_GT(values, 20U);
  EXPECT_EQ(result.worst_run, "sanitized");
  ASSERT_FALSE(result.worst.empty());
  EXPECT_FALSE(result.worst[0].claim.empty());
}

TEST_F(Quick, WithOneFileTheBuiltInSanitizersAreCompared) {
  QuickOptions options;
  options.originals = originals();
  storage::Store store(dir_ / ".residue");
  const QuickResult result = quick(store, options, look_at_files(options));
  std::vector<std::string> runs;
  for (const query::ReportRun& run : result.report.runs) runs.push_back(run.run);
  EXPECT_EQ(runs, (std::vector<std::string>{"p-filter", "random-mask", "scrub", "surrogates", "none", "remove-all"}));
}

// By the headline, in part and in full: leak_rate alone cannot tell a text that gives half of everything away from one
// that gives all of it away. Where intervals overlap nobody is first.
TEST_F(Quick, WithOneFileTheGreatestSemanticDistanceIsFirst) {
  const std::vector<std::string> names = {"Ann", "Bob", "Cid", "Dan", "Eve", "Flo",
                                          "Gus", "Hal", "Ida", "Jon", "Kim", "Leo"};
  const std::vector<std::string> things = {"bees",   "cats",   "clocks", "violins", "kites",  "roses",
                                           "stamps", "horses", "coins",  "maps",    "shells", "knives"};
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    rows.push_back(row(name, name + " collects " + things[i] + " and sells them in Bergen. " + name +
                                 " was born in Oslo in 19" + std::to_string(50 + i) + ". " + name + " fears " +
                                 things[(i + 3) % 12] + " and loud music at night. " + name + " walks to work with " +
                                 things[(i + 5) % 12] + " in a bag. " + name + " moved to Berlin."));
  }
  QuickOptions options;
  options.originals = file("o.jsonl", rows);
  storage::Store store(dir_ / ".residue");
  const QuickResult result = quick(store, options, look_at_files(options));
  for (const query::ReportRun& run : result.report.runs) {
    if (run.control) continue;
    EXPECT_EQ(run.metrics.at(query::MetricId::kLeakRate).all.value, 1) << run.run;
  }
  EXPECT_EQ(result.worst_run, "scrub");
  EXPECT_EQ(result.alike, (std::vector<std::string>{"random-mask", "surrogates"})) << "all but p-filter";
}

TEST(PassingFolder, GoesWithItsProcessHoweverThatEnds) {
  int path[2];
  ASSERT_EQ(::pipe(path), 0);
  const pid_t worker = ::fork();
  if (worker == 0) {
    const PassingFolder folder("residue-verbs-passing");
    std::ofstream(folder.path() / "secret") << "words";
    const std::string name = folder.path().string() + "\n";
    [[maybe_unused]] const auto wrote = ::write(path[1], name.data(), name.size());
    ::pause();
    ::_exit(1);
  }
  std::string name;
  for (char c = 0; ::read(path[0], &c, 1) == 1 && c != '\n';) name += c;
  ASSERT_TRUE(fs::exists(fs::path(name) / "secret"));
  ::kill(worker, SIGKILL);
  ::waitpid(worker, nullptr, 0);
  for (int i = 0; i < 500 && fs::exists(name); ++i) ::usleep(10'000);
  EXPECT_FALSE(fs::exists(name));
  fs::path gone;
  {
    const PassingFolder folder("residue-verbs-passing");
    gone = folder.path();
    EXPECT_TRUE(fs::exists(gone));
  }
  EXPECT_FALSE(fs::exists(gone));
}

TEST_F(Quick, WhatCannotBeReadTwiceIsRefused) {
  EXPECT_EQ(refusal("-", originals()), "standard input cannot be read twice");
  ASSERT_EQ(::mkfifo((dir_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(originals(), (dir_ / "pipe").string()), "a pipe cannot be read twice");
}

TEST(QuickVerdict, IsByTheWorseEndOfTheInterval) {
  const auto value = [](double v, double low) {
    query::MetricValue metric;
    metric.value = v;
    metric.low = low;
    metric.high = 1;
    return metric;
  };
  const query::MetricValue originals = value(0.2, 0.1);
  EXPECT_EQ(verdict(value(0.3, 0.25), originals), Verdict::kAll);
  EXPECT_EQ(verdict(value(0.7, 0.5), originals), Verdict::kMost);
  EXPECT_EQ(verdict(value(1.0, 0.7), originals), Verdict::kPart);  // too few records to say that it is little
  EXPECT_EQ(verdict(value(1.0, 0.95), originals), Verdict::kLittle);
  EXPECT_EQ(verdict({}, originals), Verdict::kUnknown);
  EXPECT_EQ(verdict(value(0.1, 0.2), value(1, 1)), Verdict::kUnknown);
}

}  // namespace
}  // namespace residue::verbs
