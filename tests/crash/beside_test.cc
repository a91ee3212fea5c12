// Two processes, at every place where they can meet: one is stopped at its Nth call, the other does its whole job, or
// waits; then the first goes on.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;

// The second one may wait for the first where both write; a machine that is busy makes everybody slow.
constexpr int kPatienceMs = 400, kBackupPatienceMs = 1'000, kLongPatienceMs = 20'000;
constexpr long kCopiesBegin = 40;  // calls of a backup
constexpr int kBusy = 4;

std::string slurp(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Beside : public ::testing::Test {
 protected:
  std::size_t step(const std::string& verb) const {
    std::size_t at = 0;
    while (job_.steps()[at].words[0] != verb) ++at;
    return at;
  }

  // Both at once in a copy of `from`; what is wrong, or empty.
  std::string meet(const fs::path& from, const std::vector<std::string>& first, const Fault& stop,
                   const std::vector<std::string>& second, int patience_ms = kPatienceMs) {
    copy_tree(from, dir_);
    Process one(dir_, first, stop, scratch_.path() / "first");
    const bool stopped = one.wait_until_stopped();
    Process other(dir_, second, {}, scratch_.path() / "second");
    if (!other.ends_within(patience_ms)) ++waited_;
    if (stopped) one.signal(SIGCONT);
    const Outcome end = one.wait(), other_end = other.wait();
    met_ += stopped ? 1 : 0;
    if (end.code != 0) return fmt::format("the first ended with {}: {}", end.code, slurp(scratch_.path() / "first"));
    // Who stops while SQLite rebuilds what it knows of the log, as the first that opens it, holds up all others: they
    // say so and change nothing.
    if (other_end.code == kBusy && stopped) {
      ++refused_;
    } else if (other_end.code != 0) {
      return fmt::format("the second ended with {}: {}", other_end.code, slurp(scratch_.path() / "second"));
    }
    const Seen found = verify(dir_);
    return found.problems.empty() ? std::string() : found.problems[0];
  }

  Fault stop(long at, const char* among) {
    Fault fault;
    fault.at = at;
    fault.what = "stop";
    fault.among = among;
    return fault;
  }

  long count(const fs::path& from, const std::vector<std::string>& words, const char* among) {
    copy_tree(from, dir_);
    Fault counting;
    counting.among = among;
    counting.count = scratch_.path() / "calls";
    fs::remove(counting.count);
    (void)run(dir_, words, counting);
    long calls = 0;
    std::ifstream(counting.count) >> calls;
    return calls;
  }

  Scratch scratch_;
  Workload job_{scratch_.path()};
  const fs::path dir_ = scratch_.path() / "both";
  std::size_t met_ = 0, waited_ = 0, refused_ = 0;
};

// A writer brings in new texts and rows wherever the reader stands: no row without its text, and no waiting.
TEST_F(Beside, AReaderSeesOneSnapshotAndHoldsNobodyUp) {
  const fs::path from = scratch_.path() / "settled";
  copy_tree(job_.before(step("rm")), from);
  ASSERT_EQ(run(from, {"gc", "-q"}).code, 0);  // a short log, so that most looks are behind its recovery
  const std::vector<std::string> reader = {"leaks", "d/m", "--format", "json"};
  const std::vector<std::string> writer = {"ingest", "run", "d/m", "late.jsonl", "-q"};
  const long calls = count(from, reader, "look");
  ASSERT_GT(calls, 20);
  const long every = soak_seconds() > 0 ? 1 : std::max(1L, calls / 16);
  for (long at = 1; at <= calls; at += every) {
    ASSERT_EQ(meet(from, reader, stop(at, "look"), writer, kLongPatienceMs), "")
        << "the reader stopped at look " << at << " of " << calls;
  }
  EXPECT_LE(waited_, refused_) << "writers that waited for a stopped reader";
  EXPECT_LE(refused_, met_ / 4);
  std::cout << fmt::format("{} meetings of a reader and a writer, {} in the reader's recovery\n", met_, refused_);
}

// Whatever is brought in while a backup is made, the backup is whole.
TEST_F(Beside, ABackupIsOfOneMoment) {
  const fs::path from = job_.before(step("backup"));
  const std::vector<std::string> backup = {"backup", "copy.tar", "-q"};
  // Of the records that are left.
  std::ofstream(from / "another.jsonl") << R"({"id":"a","text":"A nurse."})" << '\n'
                                        << R"({"id":"b","text":"Gout."})" << '\n';
  const std::vector<std::string> writer = {"ingest", "run", "d/another", "another.jsonl", "-q"};
  const long calls = count(from, backup, "write");
  ASSERT_GT(calls, 50);
  const long every = soak_seconds() > 0 ? 1 : std::max(1L, calls / 8);
  // At each call where the copies begin: a writer has to come between them.
  for (long at = 1; at <= calls; at += at < kCopiesBegin ? 1 : every) {
    const std::string where = fmt::format("the backup stopped at call {} of {}", at, calls);
    ASSERT_EQ(meet(from, backup, stop(at, "write"), writer, kBackupPatienceMs), "") << where;
    ASSERT_EQ(wrong_backup(dir_ / "copy.tar"), "") << where;
  }
  std::cout << fmt::format("{} backups beside a writer, which waited {} times\n", met_, waited_);
}

// Writers that meet at any call of each other: both are done at the end.
TEST_F(Beside, TwoWritersTakeTurns) {
  const fs::path from = job_.before(step("rm"));
  const std::vector<std::string> one = {"ingest", "run", "d/one", "edited.jsonl", "-q"};
  const std::vector<std::string> two = {"ingest", "run", "d/two", "late.jsonl", "-q"};
  const long calls = count(from, one, "write");
  for (long at = 1; at <= calls; ++at) {
    ASSERT_EQ(meet(from, one, stop(at, "write"), two), "") << "the first stopped at call " << at << " of " << calls;
    const Seen found = verify(dir_);
    ASSERT_EQ(found.counts.at("variant"), job_.after(step("rm") - 1).counts.at("variant") + 5) << at;
  }
  std::cout << fmt::format("{} meetings of two writers, of which {} waited\n", met_, waited_);
}

}  // namespace
}  // namespace residue::crash
