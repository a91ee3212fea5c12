// A full disk and a failing one: every call that changes a file or makes it durable fails, once or from then on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;

constexpr int kIoError = 74, kTryAgain = 75;

struct Kind {
  const char* error;
  bool lasting;
};
constexpr Kind kKinds[] = {{"ENOSPC", false}, {"ENOSPC", true}, {"EIO", false}, {"EIO", true}};

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// What is being made and nothing refers to yet is not of the store: one not renamed, copies for gc and backup; nor is
// an index, which is derived and recorded with its digest: Xapian goes on after a failed sync of its own.
bool of_the_store(const std::string& line) {
  if (line.find(" .residue/") == std::string::npos) return false;
  for (const char* unfinished : {"/index", "/compact-", "/backup-"}) {
    if (line.find(unfinished) != std::string::npos) return false;
  }
  return true;
}

class Errors : public ::testing::Test {
 protected:
  Outcome fail(std::size_t step, const Fault& fault) {
    copy_tree(job_.before(step), dir_);
    return run(dir_, job_.steps()[step].words, fault);
  }

  // What is wrong in the store after it ended so; empty if nothing.
  std::string left(std::size_t step, const Outcome& outcome) {
    if (outcome.killed || outcome.crashed) return "it crashed";
    if (outcome.code != 0 && outcome.code != kIoError && outcome.code != kTryAgain) {
      return fmt::format("ended with {}: {}", outcome.code, said(dir_));
    }
    const Seen found = verify(dir_, {.numbers = outcome.code == 0});
    if (!found.problems.empty()) return found.problems[0];
    if (const auto gone = lost(found, job_.promised_during(step)); !gone.empty()) return gone[0];
    if (outcome.code == 0) {
      const std::string wrong = other_numbers(found, job_.after(step));
      return wrong.empty() ? wrong : "ended with 0 and is not done: " + wrong;
    }
    if (std::string wrong = job_.repeat(dir_, step); !wrong.empty()) return wrong;
    const Seen end = verify(dir_, {.numbers = true});
    if (!end.problems.empty()) return "after repeating: " + end.problems[0];
    return other_numbers(end, job_.after(step));
  }

  [[nodiscard]] std::string named(std::size_t step) const {
    return fmt::format("{}", fmt::join(job_.steps()[step].words, " "));
  }

  Scratch scratch_;
  Workload job_{scratch_.path()};
  const fs::path dir_ = scratch_.path() / "failed";
};

class WriteErrors : public Errors, public ::testing::WithParamInterface<int> {};

// CI gives each sixth call one of the four kinds, in turns that differ from call to call; a soak gives all of them to
// each call.
TEST_P(WriteErrors, AtEveryWriteEndCleanlyAndLoseNothing) {
  std::size_t tried = 0, refused = 0, calls = 0;
  for (std::size_t step = 0; step < job_.steps().size(); ++step) {
    if (!wanted(job_.steps()[step])) continue;
    for (long at = 1 + GetParam(); at <= job_.calls(step); at += 2, ++calls) {
      if (is_left_to_soaks(step, at)) continue;
      for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
        if (soak_seconds() == 0 && (calls + calls / 4) % 4 != kind) continue;
        Fault fault;
        fault.at = at;
        fault.what = kKinds[kind].error;
        fault.lasting = kKinds[kind].lasting;
        const Outcome outcome = fail(step, fault);
        ASSERT_EQ(left(step, outcome), "")
            << fmt::format("{}{} at call {} of {} of {}", kKinds[kind].lasting ? "lasting " : "", kKinds[kind].error,
                           at, job_.calls(step), named(step));
        ++tried;
        refused += outcome.code != 0 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(refused, tried / 2);
  std::cout << fmt::format("{} of {} calls failed in {} ways, {} commands ended with 74 or 75\n", calls, calls, tried,
                           refused);
}

INSTANTIATE_TEST_SUITE_P(Of, WriteErrors, ::testing::Values(0, 1),
                         [](const auto& chosen) { return chosen.param == 0 ? "OddCalls" : "EvenCalls"; });

// After a failed sync nobody knows what is on the disk. Files of its own, that nothing refers to, may be removed.
TEST_F(Errors, OfASyncStopAllWriting) {
  std::size_t tried = 0;
  for (std::size_t step = 0; step < job_.steps().size(); ++step) {
    if (!wanted(job_.steps()[step])) continue;
    const long calls = job_.count(step, "sync");
    for (long at = 1; at <= calls; ++at, ++tried) {
      Fault fault;
      fault.at = at;
      fault.what = "EIO";
      fault.among = "sync";
      fault.after = scratch_.path() / "after";
      fs::remove(fault.after);
      const Outcome outcome = fail(step, fault);
      const std::string where = fmt::format("sync {} of {} of {}", at, calls, named(step));
      const std::vector<std::string> after = lines_of(fault.after);
      for (std::size_t i = 1; i < after.size() && of_the_store(after[0]); ++i) {
        const std::string& line = after[i];
        ASSERT_TRUE(line.starts_with("unlink ") || !of_the_store(line))
            << line << " after the failed " << where << ", " << after[0];
      }
      ASSERT_EQ(left(step, outcome), "") << where;
    }
  }
  std::cout << fmt::format("{} syncs failed\n", tried);
}

// A second fault while the first one is recovered from: during the next open, and during maintenance.
TEST_F(Errors, WhileRecoveringLeaveAStoreThatOpens) {
  std::size_t tried = 0;
  const std::size_t wanted = soak_seconds() > 0 ? 5'000 : 100;
  unsigned seed = 1;
  for (std::size_t round = 0; tried < wanted; ++round) {
    std::mt19937 random(seed++);
    const std::size_t step = random() % job_.steps().size();
    const long calls = job_.calls(step);
    if (calls == 0) continue;
    Fault first;
    first.at = 1 + static_cast<long>(random() % static_cast<unsigned long>(calls));
    first.what = "kill";
    (void)fail(step, first);
    Fault second;
    second.at = 1 + static_cast<long>(random() % 40);
    const bool kills = random() % 2 == 0;
    second.what = kills ? "kill" : random() % 2 == 0 ? "ENOSPC" : "EIO";
    second.lasting = !kills && random() % 2 == 0;
    const std::vector<std::string> maintenance = {"gc", "-q"};
    const bool again = random() % 2 == 0;
    const Outcome outcome = run(dir_, again ? job_.steps()[step].words : maintenance, second);
    if (outcome.crashed) FAIL() << "the second command crashed, seed " << seed - 1;
    const Seen found = verify(dir_);
    const std::string where = fmt::format("seed {}: killed at {} of {}, then {} at {} of {}", seed - 1, first.at,
                                          named(step), second.what, second.at, again ? "the same" : "gc");
    ASSERT_EQ(found.problems, std::vector<std::string>()) << where;
    ASSERT_EQ(lost(found, job_.promised_during(step)), std::vector<std::string>()) << where;
    ASSERT_EQ(job_.repeat(dir_, step), "") << where;
    const Seen end = verify(dir_, {.numbers = true});
    ASSERT_EQ(end.problems, std::vector<std::string>()) << where;
    ASSERT_EQ(other_numbers(end, job_.after(step)), "") << where;
    ++tried;
  }
  std::cout << fmt::format("{} double faults\n", tried);
}

}  // namespace
}  // namespace residue::crash
