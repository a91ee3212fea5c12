// A program of the user's and the store: nothing that it said is lost, and nothing that is stored is asked for again.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "ingest/files/dataset.h"
#include "ingest/sanitize/sanitize.h"
#include "tests/ingest/store_fixture.h"
#include "tests/query/child.h"

namespace residue::ingest::testing {
namespace {

using Lines = std::vector<std::string>;

SanitizePlan plan_of(const std::string& command) {
  SanitizePlan plan;
  plan.method = "command";
  plan.params = {{"command", command}};
  plan.keep_every = std::chrono::milliseconds(0);
  return plan;
}

class CommandStore : public StoreTest {
 protected:
  CommandStore() { few(); }
  void renew() {
    store_.reset();
    std::filesystem::remove_all(dir_ / ".residue");
    storage::Store::create(dir_);
    open();
    few();
  }
  void few() {
    add({record("a", "Ann."), record("b", ""), record("c", "Cid."), record("d", "Dan."), record("e", "Eve.")});
  }
  void add(std::vector<RecordRow> rows) {
    VectorSource<RecordRow> source(std::move(rows));
    ingest_dataset(store(), "d", source, file());
  }
  IngestResult sanitize(const std::string& command) { return sanitize_dataset(store(), "d", "r", plan_of(command), 1); }
  // Writes down whom it was asked about; "?" in the place of full stops.
  std::string program() {
    ::setenv("RESIDUE_TEST_CALLS", calls().c_str(), 1);
    return "while read -r line; do echo \"$line\" >> \"$RESIDUE_TEST_CALLS\"; echo \"$line\" | tr . '?'; done";
  }
  std::string calls() { return dir_ / "calls"; }
  Lines called() {
    Lines keys;
    std::ifstream in(calls());
    for (std::string line; std::getline(in, line);) keys.push_back(line.substr(7, 1));
    std::filesystem::remove(calls());
    return keys;
  }
  Lines variants() {
    return rows(
        "SELECT r.key, v.text_id AS 'T:t', v.error FROM variant v JOIN record r ON r.id = v.record_id ORDER BY 1");
  }
};

TEST_F(CommandStore, AsksOnceAboutEachRecord) {
  EXPECT_EQ(sanitize(program()).counts, (Counts{5, 0, 0, 0}));
  EXPECT_EQ(called(), (Lines{"a", "c", "d", "e"})) << "b has no text";
  EXPECT_EQ(variants(), (Lines{"a|Ann?|", "b||", "c|Cid?|", "d|Dan?|", "e|Eve?|"}));
  const Lines before = catalog();
  EXPECT_EQ(sanitize(program()).counts, (Counts{0, 5, 0, 0}));
  EXPECT_EQ(called(), Lines{});
  EXPECT_EQ(catalog(), before);
  add({record("c", "Cyd."), record("f", "Fay.")});
  EXPECT_EQ(sanitize(program()).counts, (Counts{1, 4, 1, 0}));
  EXPECT_EQ(called(), (Lines{"c", "f"}));
  add({record("c", "Cid.")});
  EXPECT_EQ(sanitize(program()).counts, (Counts{0, 5, 1, 0})) << "its text from before was replaced";
  EXPECT_EQ(called(), Lines{"c"});
}

TEST_F(CommandStore, AsksAgainWhereItFailedAndWhereOthersWroteMeanwhile) {
  const std::string poor = program() + " | sed 's/Dan?/\\x00/'";
  EXPECT_EQ(sanitize(poor).counts.fresh, 5U);
  EXPECT_EQ(variants()[3], "d||the command's answer cannot be read: a string has an unescaped control character");
  called();
  EXPECT_EQ(sanitize(poor).counts, (Counts{0, 5, 0, 0}));
  EXPECT_EQ(called(), Lines{"d"});
  const char* kMadeOf = "SELECT DISTINCT hex(asked) FROM program_answer";
  const Lines of_program = rows(kMadeOf);
  EXPECT_EQ(of_program.size(), 1U);
  SanitizePlan other;
  other.method = "random-mask";
  other.params = {{"rate", "1"}};
  sanitize_dataset(store(), "d", "r", other, 1);
  EXPECT_EQ(rows(kMadeOf).size(), 1U);
  EXPECT_NE(rows(kMadeOf), of_program) << "they are the other method's";
  EXPECT_EQ(sanitize(program()).counts, (Counts{0, 1, 4, 0}));
  EXPECT_EQ(called(), (Lines{"a", "c", "d", "e"}));
}

// A threshold of the program's is a setting of the run.
TEST_F(CommandStore, ParametersOfItsOwnAreInItsEnvironment) {
  ::setenv("RESIDUE_PARAM_q", "stray", 1);
  SanitizePlan plan = plan_of(program() + " | sed \"s/?/ $RESIDUE_PARAM_p,$RESIDUE_PARAM_q./\"");
  const auto made = [&](const char* p) {
    plan.params["p"] = p;
    sanitize_dataset(store(), "d", "r", plan, 1);
    return variants()[0];
  };
  EXPECT_EQ(made("1e-3"), "a|Ann 1e-3,.|") << "what else is in our environment is no setting of the run";
  EXPECT_EQ(called().size(), 4U);
  EXPECT_EQ(made("1e-3"), "a|Ann 1e-3,.|");
  EXPECT_EQ(called(), Lines{}) << "nothing has changed";
  EXPECT_EQ(made("0.5"), "a|Ann 0.5,.|");
  EXPECT_EQ(called().size(), 4U);
  EXPECT_EQ(rows("SELECT params ->> '$.params.p' FROM run WHERE name = 'r'"), Lines{"0.5"});
  plan.params = {{"command", "true"}, {"timeuot", "5"}};
  const auto complaint = [&] { return error_of([&] { sanitize_dataset(store(), "d", "r", plan, 1); }); };
  EXPECT_EQ(complaint(),
            (std::pair<int, std::string>{2, "command: unknown parameter 'timeuot'; did you mean timeout?"}));
  for (const char* name : {"", "1p", "a b", "p="}) {
    plan.params = {{"command", "true"}, {name, "5"}};
    EXPECT_EQ(complaint().first, 2) << name;
  }
  ::unsetenv("RESIDUE_PARAM_q");
}

// The second answer may come when the first is stored.
TEST_F(CommandStore, CountsARecordOnceThatIsAnsweredTwice) {
  const IngestResult result = sanitize("sed -n '1p;2p;3p;4p' | tee /dev/stderr 2>> /dev/null | sed '1{p;p}'");
  EXPECT_EQ(result.counts, (Counts{5, 0, 0, 0}));
  EXPECT_EQ(variants()[0], "a||the command answered twice");
  EXPECT_EQ(result.notes, (Lines{"1 of 5 variants failed", "3 of 5 texts are as they were"}));
}

TEST_F(CommandStore, AProgramThatNeverAnswersChangesNothing) {
  sanitize(program());
  const Lines before = catalog();
  const auto kept = "the command has given no text for any of 4 records: the run keeps those of another one";
  for (const char* poor : {"exit 3", "true", "sed 's/\"text\".*/\"error\":\"no key\"}/'"}) {
    EXPECT_EQ(error_of([&] { sanitize(poor); }), (std::pair<int, std::string>{6, kept})) << poor;
    EXPECT_EQ(catalog(), before);
  }
  called();
  sanitize(program());
  EXPECT_EQ(called(), Lines{});
  // One record of its own that it fails on is another matter.
  add({record("c", "Cyd.")});
  EXPECT_EQ(sanitize(program() + " | grep -v Cyd").counts, (Counts{0, 4, 1, 0}));
  add({record("c", "Cud.")});
  const std::string picky = program() + " | grep -v Cyd";
  EXPECT_EQ(sanitize(picky).counts, (Counts{0, 4, 1, 0}));
  add({record("c", "Cyd.")});
  EXPECT_EQ(sanitize(picky).counts, (Counts{0, 4, 1, 0}));
  EXPECT_EQ(variants()[2], "c||the command ended with exit code 1");
}

// Then the program is known to answer, and what it dies of is the records.
TEST_F(CommandStore, AsksAgainAboutMoreRecordsThatItDiesOnThanWouldStopANewOne) {
  add({record("f", "Bad."), record("g", "Bad."), record("h", "Bad."), record("i", "Bad."), record("j", "Bad.")});
  const std::string command =
      "while read -r line; do case $line in *Bad*) exit 3 ;; *) echo \"$line\" >> \"$RESIDUE_TEST_CALLS\"; echo "
      "\"$line\" ;; esac; done";
  static_cast<void>(program());
  EXPECT_EQ(sanitize(command).counts.fresh, 10U);
  called();
  add({record("k", "Kay.")});
  const IngestResult again = sanitize(command);
  EXPECT_EQ(again.counts, (Counts{1, 10, 0, 0}));
  EXPECT_EQ(again.notes, (Lines{"5 of 11 variants failed", "5 of 11 texts are as they were"}));
  EXPECT_EQ(called(), Lines{"k"});
}

// A hanging program is stopped; what it was not asked about comes first the next time.
TEST_F(CommandStore, ComesToTheOthersBeforeThoseThatItHangsOn) {
  add({record("f", "Bad."), record("g", "Bad."), record("h", "Bad."), record("i", "Bad."), record("j", "Bad."),
       record("j2", "Bad."), record("k", "Kay.")});
  const std::string command = "while read -r line; do case $line in *Bad*) sleep 60 ;; *) echo \"$line\" ;; esac; done";
  SanitizePlan plan = plan_of(command);
  plan.params["timeout"] = "0.3";
  const auto run = [&] { sanitize_dataset(store(), "d", "r", plan, 1); };
  EXPECT_EQ(error_of(run), (std::pair<int, std::string>{6, "the command fell silent 5 times without an answer"}));
  const char* kKay = "SELECT count(*) FROM variant v JOIN record r ON r.id = v.record_id WHERE r.key = 'k'";
  EXPECT_EQ(rows(kKay), Lines{"0"});
  EXPECT_EQ(error_of(run).first, 6);
  EXPECT_EQ(rows(kKay), Lines{"1"});
}

// What was answered before it was given up is not lost.
TEST_F(CommandStore, KeepsWhatWasSaidBeforeItWasInterrupted) {
  IngestOptions options;
  SanitizePlan plan = plan_of(program() + "; touch " + (dir_ / "said").string() + "; sleep 60");
  plan.keep_every = std::chrono::hours(1);
  options.interrupted = [&] { return std::filesystem::exists(dir_ / "said"); };
  EXPECT_EQ(error_of([&] { sanitize_dataset(store(), "d", "r", plan, 1, options); }),
            (std::pair<int, std::string>{130, "interrupted: 5 records are stored"}));
  EXPECT_EQ(rows("SELECT count(*) FROM program_answer"), Lines{"4"}) << "b has no text";
  EXPECT_EQ(rows("SELECT target FROM ingest_progress"), Lines{"run d/r"});
  options.interrupted = {};
  called();
  EXPECT_EQ(sanitize_dataset(store(), "d", "r", plan, 1, options).counts, (Counts{0, 5, 0, 0}));
  EXPECT_EQ(called(), Lines{});
  EXPECT_EQ(rows("SELECT target FROM ingest_progress"), Lines{});
}

// Run by the test below in a process of its own, which dies.
TEST(CommandChild, Sanitizes) {
  const char* dir = std::getenv("RESIDUE_CHILD_STORE");
  if (dir == nullptr) GTEST_SKIP() << "only as a child";
  storage::Store store(dir);
  sanitize_dataset(store, "d", "r", plan_of(std::getenv("RESIDUE_CHILD_COMMAND")), 1);
}

TEST_F(CommandStore, GoesOnAfterDyingAnywhereWhereItWas) {
  sanitize(program());
  const Lines wanted = dump();
  std::size_t points = 0, partly = 0;
  for (bool died = true; died;) {
    SCOPED_TRACE(++points);
    ASSERT_LT(points, 200U);
    renew();
    const std::string folder = dir_ / ".residue";
    store_.reset();
    const std::string command = program();
    ::setenv("RESIDUE_TEST_CALLS", "/dev/null", 1);
    const int status = query::testing::run_child(
        "CommandChild.Sanitizes",
        {"RESIDUE_CHILD_STORE=" + folder, "RESIDUE_CHILD_COMMAND=" + command, fmt::format("RESIDUE_FAULT={}", points)});
    died = query::testing::killed(status);
    ASSERT_TRUE(died || query::testing::succeeded(status));
    open();
    Lines open = rows(
        "SELECT key FROM record WHERE key <> 'b' AND id NOT IN (SELECT v.record_id FROM variant v JOIN program_answer a"
        " ON a.variant_id = v.id) ORDER BY id");
    if (!open.empty() && open.size() < 4) ++partly;
    called();
    sanitize(program());
    ASSERT_EQ(called(), open);
    ASSERT_EQ(dump(), wanted);
  }
  EXPECT_GT(points, 15U);
  EXPECT_GT(partly, 5U);
  std::cout << "died at " << points - 1 << " steps, " << partly << " of them with some answers stored\n";
}

}  // namespace
}  // namespace residue::ingest::testing
