// What is asked to end ends: every command of the table, whatever it waits for, and what computes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <list>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "tests/cli/ends/recipes.h"
#include "tests/cli/ends/running.h"
#include "tests/cli/ends/silent_server.h"

namespace residue::cli {
namespace {

using testing::Clock;
using testing::Folder;
using testing::Recipe;
using testing::recipes;
using testing::Running;
using testing::SilentServer;
using testing::since;
using testing::StuckPipe;
using testing::wait_ms;

constexpr double kPatience = 1.5 * testing::kSlow;  // a second, and what a busy machine takes from it

// One store for all: 60 records, two runs, models that never answer.
class Ends : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string notes;
    for (int i = 1; i <= 60; ++i) {
      const std::string n = std::to_string(i);
      notes += R"({"id":"r)" + n + R"(","text":"Person )" + n + " lives in town" + n + ". He keeps bees" + n +
               ". He sells honey at stall" + n + ".\"}\n";
    }
    folder_.write("notes.jsonl", notes);
    ::mkfifo((folder_.path() / "silent").c_str(), 0600);
    for (const std::string& line : std::vector<std::string>{
             "init", "ingest dataset d notes.jsonl", "atomize d", "sanitize d --with scrub --run t",
             "sanitize d --with scrub --run v", "sanitize d --with scrub --run x", "eval d --protocol bm25/first:1",
             "model add far --url " + server_.url() + " --model m --no-canaries",
             "model add gone --url " + server_.url() + " --model m",
             "model add vectors --task embeddings --url " + server_.url() + " --model m", "view save past history",
             "view save gone history"}) {
      ASSERT_EQ(folder_.done(line), 0) << line;
    }
  }

  SilentServer server_;
  Folder folder_;
  StuckPipe silent_{false}, full_{true};
  std::mt19937 random_{20};
};

TEST_F(Ends, EveryCommandOfTheTableIsTriedHere) {
  for (const Command& command : commands()) EXPECT_EQ(recipes().count(command.name), 1U) << command.name;
  EXPECT_EQ(recipes().size(), commands().size());
}

// ThreadSanitizer delivers a signal only when the call that waits returns, and the kernel starts that call again.
#if defined(__SANITIZE_THREAD__)
#define RESIDUE_NEEDS_SIGNALS() GTEST_SKIP() << "ThreadSanitizer holds signals back while a call waits"
#else
#define RESIDUE_NEEDS_SIGNALS() static_cast<void>(0)
#endif

// Results that nobody takes, input that never comes, servers that never answer.
TEST_F(Ends, AtTheFirstSignalWithinASecondWhateverItWaitsFor) {
  RESIDUE_NEEDS_SIGNALS();
  std::vector<std::pair<std::string, Recipe>> waiting(recipes().begin(), recipes().end());
  std::shuffle(waiting.begin(), waiting.end(), random_);
  while (!waiting.empty()) {
    struct One {
      std::string name;
      Recipe recipe;
      std::unique_ptr<Running> process;
      int signal = SIGINT;
      bool alive = false;
    };
    std::list<One> together;
    for (int i = 0; i < 8 && !waiting.empty(); ++i) {
      auto [name, recipe] = waiting.back();
      waiting.pop_back();
      const std::string line = name == "sql" ? name : name + " " + recipe.words;
      together.push_back(
          {name, recipe,
           std::make_unique<Running>(folder_.path(), line, Running::Files{silent_.read_end(), full_.write_end(), -1}),
           random_() % 2 == 0 ? SIGINT : SIGTERM});
    }
    wait_ms(1500 + random_() % 500);
    for (One& one : together) {
      SCOPED_TRACE(one.name);
      one.alive = one.process->alive();
      if (one.recipe.stuck) {
        EXPECT_TRUE(one.alive) << "ended by itself: " << one.process->wait(0);
      }
      one.process->signal(one.signal);
    }
    const auto signalled = Clock::now();
    for (One& one : together) {
      SCOPED_TRACE(one.name);
      if (one.recipe.asks) continue;
      const int code = one.process->wait(kPatience - since(signalled));
      // What the others held up may be done before its own signal comes: they are signalled in turn.
      const bool done = !one.recipe.stuck && code == 0;
      if (one.alive && !done) {
        EXPECT_EQ(code, 128 + one.signal);
      }
    }
    for (One& one : together) {
      if (!one.recipe.asks) continue;
      SCOPED_TRACE(one.name);
      EXPECT_EQ(one.process->wait(kPatience - since(signalled)), -1) << "did not wait for what is paid for";
      one.process->signal(one.signal);
      EXPECT_EQ(one.process->wait(kPatience), 128 + one.signal);
    }
  }
  EXPECT_EQ(folder_.done("check"), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "b.tar.partial"));
}

TEST_F(Ends, WhereStandardErrorIsFullAsWell) {
  RESIDUE_NEEDS_SIGNALS();
  for (const char* line : {"nonsense", "info --store nowhere", "report d", "eval d/t", "model add near"}) {
    SCOPED_TRACE(line);
    Running process(folder_.path(), line, {-1, full_.write_end(), full_.write_end()});
    wait_ms(300);
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(kPatience), 143);
  }
}

// What a terminal sends goes to a command and to its child; either may end first.
TEST_F(Ends, WithItsChildWhenATerminalSignalsBoth) {
  folder_.write("endless.sql", "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c;");
  const int endless = ::open((folder_.path() / "endless.sql").c_str(), O_RDONLY | O_CLOEXEC);
  for (const char* line : {"check", "gc", "sql"}) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      SCOPED_TRACE(line);
      ::lseek(endless, 0, SEEK_SET);
      Running process(folder_.path(), line, {endless, full_.write_end(), -1});
      const auto start = Clock::now();
      while (process.children().empty() && since(start) < 5) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      wait_ms(300);
      process.signal_all(signal);
      EXPECT_EQ(process.wait(kPatience), 128 + signal);
    }
  }
  ::close(endless);
}

TEST_F(Ends, AChildThatIsLeftAlone) {
  folder_.write("endless.sql", "WITH RECURSIVE c(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c) SELECT x FROM c;");
  const int endless = ::open((folder_.path() / "endless.sql").c_str(), O_RDONLY | O_CLOEXEC);
  Running process(folder_.path(), "sql --timeout 60", {endless, full_.write_end(), -1});
  auto start = Clock::now();
  while (process.children().empty() && since(start) < 5) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_EQ(process.children().size(), 1U);
  const pid_t child = process.children().front();
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait(kPatience), 1000 + SIGKILL);
  start = Clock::now();
  // Whoever adopts it may not collect it at once.
  const auto gone = [&] {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string id, name, state;
    return !(stat >> id >> name >> state) || state == "Z";
  };
  while (!gone() && since(start) < kPatience) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(gone());
  ::close(endless);
}

TEST_F(Ends, APromptOfATerminal) {
  RESIDUE_NEEDS_SIGNALS();
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  ::grantpt(master);
  ::unlockpt(master);
  const int slave = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  for (const char* line : {"rm d/x", "sql"}) {
    SCOPED_TRACE(line);
    Running process(folder_.path(), line, {slave, slave, slave});
    wait_ms(400);
    EXPECT_TRUE(process.alive());
    process.signal(SIGINT);
    if (line != std::string("sql")) {
      EXPECT_EQ(process.wait(kPatience), 130);
      continue;
    }
    // In a shell it drops the line; what else ends a program ends it, too.
    wait_ms(400);
    EXPECT_TRUE(process.alive());
    process.signal(SIGTERM);
    EXPECT_EQ(process.wait(kPatience), 143);
  }
  ::close(slave);
  ::close(master);
}

// A sanitizer of the user's own that never answers goes with the command that started it.
TEST_F(Ends, AProgramOfTheUsers) {
  folder_.write("slow", "echo $$ > pid; exec sleep 100\n");
  Running process(folder_.path(), "sanitize d --with command --param command=sh${IFS}slow --run c", {});
  const auto start = Clock::now();
  std::string id;
  while ((id = folder_.read("pid")).size() < 2 && since(start) < 10) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait(kPatience), 143);
  const auto ended = Clock::now();
  // Dead is enough: whoever inherits it may take its time to ask how it ended.
  const auto runs = [&] {
    std::ifstream stat("/proc/" + id.substr(0, id.find('\n')) + "/stat");
    std::string number, name, state;
    return static_cast<bool>(stat >> number >> name >> state) && state != "Z" && state != "X";
  };
  while (runs() && since(ended) < kPatience) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs());
}

TEST_F(Ends, AnEndlessLineThatIsSkippedOrRefused) {
  for (const bool skip : {true, false}) {
    SCOPED_TRACE(skip);
    StuckPipe pipe(false);
    Running process(folder_.path(), std::string("ingest dataset e -") + (skip ? " --on-error skip" : ""),
                    {pipe.read_end(), -1, -1});
    std::jthread writer([&](const std::stop_token& stop) {
      std::string block = "{\"id\": \"1\", \"text\": \"" + std::string(1 << 15, 'x');
      ::fcntl(pipe.write_end(), F_SETFL, O_NONBLOCK);
      while (!stop.stop_requested()) {
        const ssize_t wrote = ::write(pipe.write_end(), block.data(), block.size());
        if (wrote > 0) block = std::string(1 << 15, 'x');
        if (wrote <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
    if (!skip) {
      EXPECT_EQ(process.wait(20), 6);
      continue;
    }
    wait_ms(1500);
    EXPECT_TRUE(process.alive());
    process.signal(SIGINT);
    EXPECT_EQ(process.wait(kPatience), 130);
  }
}

TEST_F(Ends, ResultsInAFileLeaveNoHalfOfIt) {
  Running process(folder_.path(), "text rouge - -o out.jsonl", {silent_.read_end(), -1, -1});
  wait_ms(300);
  process.signal(SIGINT);
  EXPECT_EQ(process.wait(kPatience), 130);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    EXPECT_EQ(entry.path().filename().string().find("out.jsonl"), std::string::npos) << entry.path();
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // their shadows need terabytes of addresses
TEST_F(Ends, NothingThatFitsIntoItsAddressSpaceIsRefused) {
  for (const rlim_t gib : {1, 2, 4}) {
    SCOPED_TRACE(gib);
    const std::string n = std::to_string(gib);
    for (const std::string& line :
         {"init g" + n, "ingest dataset d notes.jsonl --store g" + n, "atomize d --store g" + n,
          "sanitize d --with scrub --run t --store g" + n, "eval d --protocol bm25/first:1 --store g" + n,
          "report d --store g" + n, "sql SELECT(1) --store g" + n, "check --store g" + n, "gc --store g" + n,
          "backup b" + n + ".tar --store g" + n, std::string("eval d --protocol bm25/first:2"), std::string("check")}) {
      SCOPED_TRACE(line);
      EXPECT_EQ(Running(folder_.path(), line, {.address_bytes = gib << 30U}).wait(60), 0);
    }
  }
}
#endif

// An evaluation that is stopped again and again comes to the numbers of one that was not.
TEST_F(Ends, WithTheNumbersThatItWouldHave) {
  std::string notes;
  for (int i = 1; i <= 400; ++i) {
    std::string text;
    for (int j = 0; j < 8; ++j) {
      text += "Person" + std::to_string(random_() % 100) + " of town" + std::to_string(random_() % 90) + " keeps " +
              std::to_string(random_() % 500) + " bees. ";
    }
    notes += R"({"id":"r)" + std::to_string(i) + R"(","text":")" + text + "\"}\n";
  }
  folder_.write("more.jsonl", notes);
  const std::vector<std::string> steps = {"ingest dataset n more.jsonl", "atomize n",
                                          "sanitize n --with scrub --run s --seed 1",
                                          "eval n --protocol bm25/first:2,rouge-l/first:1", "report n --json"};
  ASSERT_EQ(folder_.done("init whole"), 0);
  ASSERT_EQ(folder_.done("init stopped"), 0);
  int stopped = 0;
  for (const std::string& step : steps) {
    const std::string out = step.starts_with("report") ? " -o report-" : std::string();
    ASSERT_EQ(folder_.done(step + " --store whole" + (out.empty() ? out : out + "whole")), 0);
    for (int tries = 0; tries < 12; ++tries) {
      Running process(folder_.path(), step + " --store stopped" + (out.empty() ? out : out + "stopped"), {});
      std::this_thread::sleep_for(std::chrono::milliseconds(5 + random_() % (40 + 40 * static_cast<unsigned>(tries))));
      process.signal(tries % 2 == 0 ? SIGINT : SIGTERM);
      const int code = process.wait(kPatience);
      if (code == 0) break;
      // Before the program has said what a signal does, the system ends it: nothing was begun.
      EXPECT_TRUE(code == 130 || code == 143 || code == 1000 + SIGINT || code == 1000 + SIGTERM) << code;
      ++stopped;
    }
    ASSERT_EQ(folder_.done(step + " --store stopped" + (out.empty() ? out : out + "stopped")), 0);
  }
  EXPECT_GE(stopped, 3);
  EXPECT_EQ(folder_.read("report-stopped"), folder_.read("report-whole"));
  EXPECT_FALSE(folder_.read("report-whole").empty());
  EXPECT_EQ(folder_.done("check --store stopped"), 0);
  EXPECT_EQ(folder_.done("check --recompute --store stopped"), 0);
}

// A cross join over all records, as often as wanted: it ends in time, in memory that does not grow with its rows.
TEST_F(Ends, SqlInTimeAndInBoundedMemory) {
  const std::string join =
      "sql --limit 1000000000 --timeout 3 SELECT/**/*/**/FROM/**/records/**/a,records/**/b,records/**/c,records/**/d";
  for (const char* format : {"", " --json", " --csv", " --format md", " --format latex"}) {
    SCOPED_TRACE(format);
    Running process(folder_.path(), join + format, {});
    const auto start = Clock::now();
    long most_kib = 0;
    while (process.alive() && since(start) < 8 * testing::kSlow) {
      most_kib = std::max(most_kib, process.resident_kib());
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(process.wait(0), 2);
    EXPECT_LT(since(start), 5 * testing::kSlow);
    if (testing::kSlow == 1) {
      EXPECT_LT(most_kib, 128 << 10);
    }
  }
  // Nobody takes what it prints: it ends in time all the same.
  Running process(folder_.path(), join, {-1, full_.write_end(), -1});
  EXPECT_EQ(process.wait(5 * testing::kSlow), 2);
}

// What computes for seconds, stopped at random moments; what is done again goes on and ends.
TEST_F(Ends, WhatComputes) {
  std::string notes;
  std::string pairs;
  for (int i = 1; i <= 3000; ++i) {
    std::string text;
    for (int j = 0; j < 12; ++j) {
      text += "Person" + std::to_string(random_() % 700) + " of town" + std::to_string(random_() % 900) + " keeps " +
              std::to_string(random_() % 5000) + " bees. ";
    }
    notes += R"({"id":"r)" + std::to_string(i) + R"(","text":")" + text + "\"}\n";
    pairs += R"({"reference":")" + text + R"(","hypothesis":")" + text + "\"}\n";
  }
  std::string vectors;
  for (int i = 1; i <= 3000; ++i) {
    for (const char* of : {"record", "variant"}) {
      vectors += R"({"id":"r)" + std::to_string(i) + R"(","of":")" + of + R"(","run":"s","vector":[)";
      for (int j = 0; j < 32; ++j) vectors += (j > 0 ? "," : "") + std::to_string(random_() % 1000);
      vectors += "]}\n";
    }
  }
  folder_.write("vectors.jsonl", vectors);
  std::string huge;
  for (int i = 0; i < 300'000; ++i) huge += "Mr Person" + std::to_string(i) + " said. ";
  folder_.write("many.jsonl", notes);
  folder_.write("pairs.jsonl", pairs);
  folder_.write("huge.jsonl", R"({"id":"h","text":")" + huge + "\"}\n");
  ASSERT_EQ(folder_.done("ingest dataset m many.jsonl"), 0);
  ASSERT_EQ(folder_.done("ingest dataset h huge.jsonl"), 0);
  ASSERT_EQ(folder_.done("atomize m"), 0);
  ASSERT_EQ(folder_.done("sanitize m --with scrub --run s"), 0);
  ASSERT_EQ(folder_.done("ingest vectors m vectors.jsonl --model mine"), 0);
  int stopped = 0;
  for (const char* line :
       {"eval m --protocol bm25/first:2", "eval m --protocol rouge-l/first:1", "eval m/s --metrics mauve",
        "sanitize h --with scrub --run s", "sanitize m --with dp-ngram --param epsilon=8 --run n", "atomize h",
        "work export m --judge far --protocol bm25/first:1 --to todo", "check --recompute", "backup b.tar", "gc",
        "text rouge pairs.jsonl", "judge calibrate --labels pairs.jsonl", "ingest dataset m2 many.jsonl",
        "label m/s --sample 3000", "rm m2 --yes"}) {
    SCOPED_TRACE(line);
    Running process(folder_.path(), line, {});
    wait_ms(50 + random_() % 900);
    const bool alive = process.alive();
    const int signal = random_() % 2 == 0 ? SIGINT : SIGTERM;
    process.signal(signal);
    const int code = process.wait(kPatience);
    EXPECT_NE(code, -1);
    EXPECT_LT(code, 1000);
    stopped += alive && code == 128 + signal ? 1 : 0;
  }
  EXPECT_GE(stopped, 6);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "b.tar.partial"));
  EXPECT_EQ(folder_.done("check"), 0);
  EXPECT_EQ(folder_.done("ingest dataset m2 many.jsonl"), 0);
  EXPECT_EQ(folder_.done("sanitize h --with scrub --run s"), 0);
  EXPECT_EQ(folder_.done("eval m/s --protocol bm25/first:2"), 0);
}

}  // namespace
}  // namespace residue::cli
