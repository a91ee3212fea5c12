// Many processes at once: writers that are killed at random, readers that stop, evaluators that want the same answers.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::size_t kKills = 90, kSoakKills = 50'000;
constexpr int kStuckSeconds = 20;
constexpr int kBusy = 4, kTryAgain = 75;

void pause_us(unsigned long us) { std::this_thread::sleep_for(std::chrono::microseconds(us)); }

class Together : public ::testing::Test {
 protected:
  Together() {
    std::size_t step = 0;
    while (job_.steps()[step].words[0] != "rm") ++step;  // everything is there, nothing was removed yet
    copy_tree(job_.before(step), dir_);
    job_.stub().forget();
  }

  std::unique_ptr<Process> start(const Words& words, const std::string& name) {
    return std::make_unique<Process>(dir_, words, Fault{}, scratch_.path() / name);
  }

  Scratch scratch_;
  Workload job_{scratch_.path()};
  const fs::path dir_ = scratch_.path() / "together";
};

// Two writers and a reader, of which one or more die in each round. What the store held at the end of a round it holds
// for ever; no answer that was saved is asked for again.
TEST_F(Together, KilledAtRandomTheyLoseNothing) {
  const std::vector<Words> writers = {
      {"ingest", "run", "d/m", "run.jsonl", "-q"},
      {"ingest", "run", "d/m", "edited.jsonl", "-q"},
      {"ingest", "run", "d/other", "late.jsonl", "-q"},
      {"eval", "d/m", "--protocol", "bm25/first:1/claims", "--judge", "stub", "-q"},
      {"eval", "d", "--protocol", "bm25/first:1/claims", "-q"},
      {"sanitize", "d", "--with", "scrub", "--run", "again", "-q"},
      {"gc", "-q"},
      {"backup", "any.tar", "-q"},
  };
  const std::vector<Words> readers = {{"leaks", "d/m", "--format", "json"}, {"report", "d"}, {"show", "d/a"}};
  std::mt19937 random(1);
  std::map<std::string, std::int64_t> promised;
  std::size_t kills = 0, rounds = 0;
  const std::size_t wanted_kills = soak_seconds() > 0 ? kSoakKills : kKills;
  const auto over = std::chrono::steady_clock::now() + std::chrono::seconds(soak_seconds());
  for (; kills < kKills || (kills < wanted_kills && std::chrono::steady_clock::now() < over); ++rounds) {
    fs::remove(dir_ / "any.tar");
    std::vector<std::unique_ptr<Process>> all;
    for (int i = 0; i < 2; ++i) all.push_back(start(writers[random() % writers.size()], fmt::format("writer-{}", i)));
    all.push_back(start(readers[random() % readers.size()], "reader"));
    pause_us(random() % 120'000);
    const std::size_t first = random() % all.size();
    all[first]->signal(SIGKILL);
    if (random() % 3 == 0) all[(first + 1) % all.size()]->signal(SIGKILL);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Outcome end = all[i]->wait();
      std::ifstream in(scratch_.path() / (i < 2 ? fmt::format("writer-{}", i) : "reader"));
      const std::string text(std::istreambuf_iterator<char>(in), {});
      const bool killed = end.killed || (end.code == kTryAgain && text.find("was killed") != std::string::npos);
      kills += killed ? 1 : 0;  // it, or its child
      if (killed || end.code == 0 || (i < 2 && (end.code == kBusy || end.code == kTryAgain))) continue;
      if (i < 2 && text.find("any.tar exists already") != std::string::npos) continue;  // both writers make a backup
      // The judgments of a run that is being evaluated anew are not there for a while.
      ASSERT_TRUE(i == 2 && end.code == 3) << "round " << rounds << " ended with " << end.code << ": " << text;
    }
    const auto begin = std::chrono::steady_clock::now();
    const Seen seen = verify(dir_);
    ASSERT_EQ(seen.problems, std::vector<std::string>()) << "round " << rounds;
    ASSERT_EQ(lost(seen, promised), std::vector<std::string>()) << "round " << rounds;
    ASSERT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    promised = seen.counts;
    for (const char* changing : {"metric", "judgment"}) promised.erase(changing);
  }
  for (const Words& last : {writers[4], writers[3]}) ASSERT_EQ(run(dir_, last).code, 0) << said(dir_);
  const Seen end = verify(dir_, {.numbers = true, .recompute = true});
  EXPECT_EQ(end.problems, std::vector<std::string>());
  const std::vector<std::string> bodies = job_.stub().requests();
  const std::set<std::string> distinct(bodies.begin(), bodies.end());
  EXPECT_LE(bodies.size(), distinct.size() + kills);
  EXPECT_LE(static_cast<std::int64_t>(bodies.size()), end.counts.at("attempt"));
  std::cout << fmt::format("{} kills in {} rounds; {} requests for {} questions\n", kills, rounds, bodies.size(),
                           distinct.size());
}

// A reader that stands still for long keeps pages from being used again, and nobody from writing.
TEST_F(Together, AStuckReaderStopsNobody) {
  Fault stop;
  stop.what = "stop";
  stop.among = "look";
  ASSERT_EQ(run(dir_, {"gc", "-q"}).code, 0);  // a short log: who stops while it is rebuilt holds up everybody
  // Behind the beginning of its snapshot.
  const fs::path counted = scratch_.path() / "calls";
  Fault counting;
  counting.among = "look";
  counting.count = counted;
  (void)run(dir_, {"leaks", "d/m", "--format", "json"}, counting);
  std::ifstream(counted) >> stop.at;
  stop.at = stop.at * 4 / 5;
  Process reader(dir_, {"leaks", "d/m", "--format", "json"}, stop, scratch_.path() / "reader");
  ASSERT_TRUE(reader.wait_until_stopped());
  const auto rewrite = [&](std::size_t i) {
    const Words words = {"ingest", "run", "d/m", i % 2 == 0 ? "run.jsonl" : "edited.jsonl", "-q"};
    ASSERT_EQ(run(dir_, words).code, 0) << said(dir_);
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kStuckSeconds);
  std::size_t writes = 0;
  while (std::chrono::steady_clock::now() < end) ASSERT_NO_FATAL_FAILURE(rewrite(writes++));
  EXPECT_GT(writes, 10U);
  reader.signal(SIGKILL);  // it leaves its place in the table of readers behind
  EXPECT_TRUE(reader.wait().killed);
  const fs::path facts = dir_ / ".residue/facts/data.mdb";
  const auto grown = fs::file_size(facts);
  for (std::size_t i = 0; i < 10; ++i) ASSERT_NO_FATAL_FAILURE(rewrite(i));
  ASSERT_EQ(run(dir_, {"gc", "-q"}).code, 0) << said(dir_);
  const auto settled = fs::file_size(facts);
  EXPECT_LE(settled, grown);
  for (std::size_t i = 0; i < 10; ++i) {
    ASSERT_NO_FATAL_FAILURE(rewrite(i));
    ASSERT_EQ(run(dir_, {"gc", "-q"}).code, 0) << said(dir_);
  }
  EXPECT_LE(fs::file_size(facts), settled + settled / 20);
  EXPECT_EQ(verify(dir_).problems, std::vector<std::string>());
  std::cout << fmt::format("{} writes beside a stopped reader; facts {} KiB, after gc {} KiB\n", writes, grown >> 10U,
                           settled >> 10U);
}

// Whatever is written meanwhile, a check of a sound store finds nothing, and a backup is whole.
TEST_F(Together, ChecksAndBackupsRaiseNoFalseAlarm) {
  const std::size_t wanted = std::getenv("RESIDUE_CHECKS") != nullptr ? std::stoul(std::getenv("RESIDUE_CHECKS")) : 15;
  std::atomic<bool> over = false;
  std::atomic<std::size_t> written = 0;
  std::string wrong;
  const std::vector<Words> work = {{"ingest", "run", "d/m", "run.jsonl", "-q"},
                                   {"eval", "d", "--protocol", "bm25/first:1/claims", "-q"},
                                   {"ingest", "run", "d/m", "edited.jsonl", "-q"},
                                   {"sanitize", "d", "--with", "scrub", "--run", "again", "-q"},
                                   {"gc", "--wait", "0", "-q"}};
  std::thread writer([&] {
    for (std::size_t i = 0; !over; ++i, ++written) {
      const int code = start(work[i % work.size()], "writer")->wait().code;
      if (code != 0 && code != kBusy && code != kTryAgain) wrong = fmt::format("a writer ended with {}", code);
    }
  });
  std::size_t backups = 0, refused = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    const int code = start({"check", "--format", "json"}, "check")->wait().code;
    EXPECT_TRUE(code == 0 || code == kBusy) << "check " << i << " ended with " << code;
    refused += code == kBusy ? 1 : 0;
    if (i % 5 != 0) continue;
    fs::remove(dir_ / "any.tar");
    if (start({"backup", "any.tar", "-q"}, "backup")->wait().code != 0) {
      ++refused;
      continue;
    }
    EXPECT_EQ(wrong_backup(dir_ / "any.tar"), "") << "backup " << i;
    ++backups;
  }
  over = true;
  writer.join();
  EXPECT_EQ(wrong, "");
  EXPECT_GE(written, wanted / 5);
  EXPECT_LE(refused, wanted / 5);
  EXPECT_EQ(verify(dir_).problems, std::vector<std::string>());
  std::cout << fmt::format("{} checks and {} backups beside {} commands that write, {} refused\n", wanted, backups,
                           written.load(), refused);
}

// Three evaluations want the same answers at once: each is asked for once.
TEST_F(Together, EvaluatorsAskOnce) {
  constexpr int kRecords = 120;
  {
    std::ofstream records(dir_ / "many.jsonl"), claims(dir_ / "many-claims.jsonl"), texts(dir_ / "many-run.jsonl");
    for (int i = 0; i < kRecords; ++i) {
      records << fmt::format("{{\"id\":\"r{0}\",\"text\":\"Person {0} has {1} dogs and lives in house {2}.\"}}\n", i,
                             i % 7, i * 3);
      claims << fmt::format(
          "{{\"record\":\"r{0}\",\"claims\":[\"Person {0}\",\"{1} dogs of {0}\",\"house {2} of {0}\",\"alive "
          "{0}\",\"{0} walks\"]}}\n",
          i, i % 7, i * 3);
      texts << fmt::format("{{\"id\":\"r{0}\",\"text\":\"Somebody {0} has dogs, house {1}.\"}}\n", i, i * 3);
    }
  }
  for (const Words& words : std::vector<Words>{{"ingest", "dataset", "many", "many.jsonl", "-q"},
                                               {"ingest", "claims", "many", "many-claims.jsonl", "-q"},
                                               {"ingest", "run", "many/a", "many-run.jsonl", "-q"},
                                               {"ingest", "run", "many/b", "many-run.jsonl", "-q"}}) {
    ASSERT_EQ(run(dir_, words).code, 0) << said(dir_);
  }
  const Words evaluate = {"eval", "many/a", "--protocol", "bm25/first:1/claims", "--judge", "stub", "-q"};
  Words other = evaluate;
  other[1] = "many/b";
  std::vector<std::unique_ptr<Process>> all;
  for (const Words& words : {evaluate, other, evaluate})
    all.push_back(start(words, fmt::format("eval-{}", all.size())));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int code = all[i]->wait().code;
    EXPECT_TRUE(code == 0 || code == kBusy) << i << " ended with " << code;
  }
  for (const Words& words : {evaluate, other}) EXPECT_EQ(run(dir_, words).code, 0) << said(dir_);
  const std::vector<std::string> bodies = job_.stub().requests();
  const std::set<std::string> distinct(bodies.begin(), bodies.end());
  EXPECT_EQ(bodies.size(), distinct.size());
  EXPECT_GE(bodies.size(), 4U * kRecords / 2);
  EXPECT_EQ(verify(dir_).problems, std::vector<std::string>());
  std::cout << fmt::format("{} questions, each asked once by {} evaluators\n", bodies.size(), all.size());
}

}  // namespace
}  // namespace residue::crash
