// SIGKILL at calls that change a file or make it durable, of every command of a small job: at each third in CI, which
// differ from command to command, at all of them in a soak.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;

constexpr long kLeastCalls = 400;  // of the whole job; fewer: the shim does not see them
constexpr std::size_t kWholeEvery = 25;
// Commands that read damaged files do so in a child. If the kill hits that child, its parent says so.
constexpr int kTryAgain = 75;
constexpr std::string_view kChildWasKilled = "the process that did the work was killed";

// Every request that arrived is known to the ledger, and none was sent again whose answer had been saved. `crashes` of
// a process that has one request in flight.
std::string asked_wrongly(const std::vector<std::string>& bodies, const Seen& seen, std::size_t crashes) {
  const std::set<std::string> distinct(bodies.begin(), bodies.end());
  if (bodies.size() > distinct.size() + crashes) {
    return fmt::format("{} requests for {} questions", bodies.size(), distinct.size());
  }
  const auto rows = static_cast<std::size_t>(seen.counts.at("attempt"));
  if (bodies.size() > rows) return fmt::format("{} requests, {} rows of the ledger", bodies.size(), rows);
  return {};
}

// Two halves, that run beside each other.
class Kills : public ::testing::TestWithParam<int> {
 protected:
  // What is wrong after a kill at call `at` of step `step`; empty if nothing.
  std::string after_kill(std::size_t step, long at, bool whole) {
    const fs::path dir = scratch_.path() / "killed";
    copy_tree(job_.before(step), dir);
    const bool asks = job_.steps()[step].words.back() == "stub" || job_.steps()[step].words.size() > 5;
    if (asks) job_.stub().forget();
    Fault fault;
    fault.at = at;
    fault.what = "kill";
    Outcome outcome = run(dir, job_.steps()[step].words, fault);
    if (outcome.code == kTryAgain && said(dir).find(kChildWasKilled) != std::string::npos) outcome.killed = true;
    if (!outcome.killed && outcome.code != 0) return fmt::format("ended with {}: {}", outcome.code, said(dir));
    killed_ += outcome.killed ? 1 : 0;
    // Looking at a store recovers it: of some the program itself does.
    if (at % 4 != 0 && at % 4 != 3) {
      const Seen found = verify(dir);
      if (!found.problems.empty()) return found.problems[0];
      if (const auto gone = lost(found, job_.promised_during(step)); !gone.empty()) return gone[0];
    }
    if (fs::exists(dir / "copy.tar")) {  // a backup that has its name is whole
      if (std::string wrong = wrong_backup(dir / "copy.tar"); !wrong.empty()) return wrong;
    }
    if (std::string wrong = whole ? job_.finish(dir, step) : job_.repeat(dir, step); !wrong.empty()) return wrong;
    // A backup that is there already is not repeated: somebody else opens the store.
    if (const Outcome looked = run(dir, {"info", "-q"}); looked.code > 3) return "info: " + said(dir);
    if (const auto left = leftovers(dir); !left.empty()) return "left behind: " + left[0];
    const Seen end = verify(dir, {.numbers = true, .recompute = whole});
    if (!end.problems.empty()) return "after repeating: " + end.problems[0];
    const Seen& expected = whole ? job_.end() : job_.after(step);
    if (std::string wrong = other_numbers(end, expected); !wrong.empty()) return wrong;
    if (asks) return asked_wrongly(job_.stub().requests(), end, 1);
    return {};
  }

  Scratch scratch_;
  Workload job_{scratch_.path()};
  std::size_t killed_ = 0;
};

TEST_P(Kills, AtEveryWriteLoseNothingAndChangeNoNumber) {
  long all = 0;
  std::size_t tried = 0;
  for (std::size_t step = 0; step < job_.steps().size(); ++step) {
    if (!wanted(job_.steps()[step])) continue;
    all += job_.calls(step);
    for (long at = 1 + GetParam(); at <= job_.calls(step); at += 2) {
      if (is_left_to_soaks(step, at)) continue;
      const std::string wrong = after_kill(step, at, ++tried % kWholeEvery == 0 || soak_seconds() > 0);
      ASSERT_EQ(wrong, "") << "killed at call " << at << " of " << job_.calls(step) << " of "
                           << fmt::format("{}", fmt::join(job_.steps()[step].words, " "));
    }
  }
  if (std::getenv("RESIDUE_CRASH_ONLY") == nullptr) {
    EXPECT_GE(all, kLeastCalls);
  }
  EXPECT_GE(killed_, tried * 95 / 100);
  std::cout << fmt::format("killed at {} of {} calls\n", killed_, all);
}

INSTANTIATE_TEST_SUITE_P(Of, Kills, ::testing::Values(0, 1),
                         [](const auto& chosen) { return chosen.param == 0 ? "OddCalls" : "EvenCalls"; });

}  // namespace
}  // namespace residue::crash
