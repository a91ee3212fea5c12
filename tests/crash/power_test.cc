// The power goes after every change of a small job, under two file systems, and everything that may be on the disk then
// is opened and compared with what had been acknowledged.
#include "tests/crash/power.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <unordered_set>

#include "tests/crash/workload.h"

namespace residue::crash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLeastStates = 350;  // of each file system, distinct
constexpr std::size_t kOneOf = 6;  // changes after which CI cuts the power; a soak does after each
constexpr int kRandomOfEach = 3;
constexpr std::size_t kFinishedEvery = 400;  // of so many states one is worked on to the end of the job

using Promise = std::map<std::string, std::int64_t>;

class PowerCuts : public ::testing::TestWithParam<FileSystem> {
 protected:
  PowerCuts() {
    std::uint64_t end = 0;
    for (std::ifstream in(scratch_.path() / "ends"); in >> end;) ends_.push_back(end);
  }

  [[nodiscard]] std::size_t step_at(std::uint64_t end) const {
    return static_cast<std::size_t>(std::lower_bound(ends_.begin(), ends_.end(), end) - ends_.begin());
  }

  // What was acknowledged: by the end of a command, or by a batch that it committed.
  void acknowledge(const Event& event, const Disk& disk, std::mt19937& random) {
    const std::size_t step = step_at(event.end);
    if (step != step_) {
      step_ = step;
      promise_ = job_.promised_during(step);
    }
    if (event.kind == 'C' && event.path == kTrace) trace_ = event.inode;
    if (!marks(event) || event.bytes != "batch.committed\n") return;
    materialize(disk.state(Survives::kAll, random), scratch_.path() / "acknowledged");
    const Seen seen = verify(scratch_.path() / "acknowledged");
    ASSERT_EQ(seen.problems, std::vector<std::string>());
    for (const auto& [name, count] : job_.after(step).counts) {
      if (name != "metric") promise_[name] = std::min(count, seen.counts.at(name));
    }
  }

  [[nodiscard]] bool marks(const Event& event) const { return event.kind == 'W' && event.inode == trace_; }

  std::string judge(DiskState state) {
    state.erase(kTrace);
    if (!seen_.insert(fingerprint(state) + step_).second) return {};
    const fs::path dir = scratch_.path() / "cut";
    materialize(state, dir);
    const Seen found = verify(dir);
    if (!found.problems.empty()) return found.problems[0];
    if (const auto gone = lost(found, promise_); !gone.empty()) return gone[0];
    if (seen_.size() % kFinishedEvery != 0) return {};
    for (const auto& entry : fs::directory_iterator(job_.before(0))) {
      fs::copy_file(entry.path(), dir / entry.path().filename(), fs::copy_options::skip_existing);
    }
    fs::remove(dir / "copy.tar");
    if (std::string wrong = job_.finish(dir, 0); !wrong.empty()) return wrong;
    const Seen end = verify(dir, {.numbers = true, .recompute = true});
    if (!end.problems.empty()) return "at the end: " + end.problems[0];
    return other_numbers(end, job_.end());
  }

  Scratch scratch_;
  const fs::path log_ = scratch_.path() / "log";
  Workload job_{scratch_.path(), log_};
  std::vector<std::uint64_t> ends_;
  std::size_t step_ = 0;
  Promise promise_;
  std::uint64_t trace_ = 0;  // inode
  std::unordered_set<std::uint64_t> seen_;
};

TEST_P(PowerCuts, LeaveWhatWasAcknowledged) {
  const std::vector<Event> events = read_log(log_, scratch_.path() / "whole");
  std::size_t tried = 0, changes = 0;
  for (Rounds rounds; rounds.next() || seen_.size() < kLeastStates;) {
    std::mt19937 random(rounds.seed());
    Disk disk(GetParam());
    for (const Event& event : events) {
      const bool changed = disk.apply(event);
      ASSERT_NO_FATAL_FAILURE(acknowledge(event, disk, random));
      if (!changed || marks(event)) continue;
      if (++changes % kOneOf != 0 && soak_seconds() == 0) continue;
      std::vector<Survives> choices = {Survives::kNothing};
      if (event.kind == 'S' || event.kind == 'R' || event.kind == 'U' || random() % 4 == 0)
        choices.push_back(Survives::kAll);
      choices.insert(choices.end(), kRandomOfEach, Survives::kSome);
      for (const Survives what : choices) {
        ++tried;
        const std::string wrong = judge(disk.state(what, random));
        ASSERT_EQ(wrong, "") << fmt::format("power cut in round {} after {} {} in '{}', of what was not durable {}",
                                            rounds.seed(), event.kind, event.path,
                                            fmt::join(job_.steps()[step_].words, " "),
                                            what == Survives::kNothing ? "nothing"
                                            : what == Survives::kAll   ? "all"
                                                                       : "some");
      }
    }
    if (rounds.seed() == 1) {
      // The log tells all: what it leads to is what is there.
      DiskState all = disk.state(Survives::kAll, random);
      for (const auto& [path, bytes] : all) {
        if (path.ends_with('/') || path == kTrace) continue;
        std::ifstream in(scratch_.path() / "whole" / path, std::ios::binary);
        EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(in), {}) == bytes) << path;
      }
    }
  }
  EXPECT_GE(seen_.size(), kLeastStates);
  std::cout << fmt::format("{} changes and syncs, {} states tried, {} of them distinct\n", events.size(), tried,
                           seen_.size());
}

INSTANTIATE_TEST_SUITE_P(On, PowerCuts, ::testing::Values(FileSystem::kExt4, FileSystem::kStrict),
                         [](const auto& chosen) { return chosen.param == FileSystem::kExt4 ? "Ext4" : "StrictPosix"; });

}  // namespace
}  // namespace residue::crash
