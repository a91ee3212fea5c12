// A small job through the whole program: every kind of write that there is, a dozen commands.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/crash/program.h"
#include "tests/crash/verify.h"

namespace residue::crash {

inline constexpr const char* kTrace =
    "trace";  // in the directory of a job that is logged: a line for each durable step

struct Step {
  Step(std::vector<std::string> command, std::vector<int> codes = {0}, std::string done_if = {})
      : words(std::move(command)), repeated(std::move(codes)), skipped_if(std::move(done_if)) {}
  std::vector<std::string> words;
  std::vector<int> repeated;  // exit codes of the command where it was done, or half done, before
  std::string skipped_if;     // a file: where it is there, the command is done
};

// A directory below /dev/shm where there is one: what dies here is a process, or a machine that is pretended.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void copy_tree(const std::filesystem::path& from, const std::filesystem::path& to);  // `to` is replaced

// The job, done once undisturbed: the store before each step, how many calls each step makes, what is there after it.
class Workload {
 public:
  // `log`: the steps' changes are written there (shim.c).
  explicit Workload(const std::filesystem::path& scratch, const std::filesystem::path& log = {});

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] std::filesystem::path before(std::size_t step) const;  // a copy; copy it again to go on
  [[nodiscard]] long calls(std::size_t step) const { return calls_[step]; }
  [[nodiscard]] const Seen& after(std::size_t step) const { return seen_[step]; }
  // What is acknowledged while `step` runs: the rows from before, less what it may take away.
  [[nodiscard]] std::map<std::string, std::int64_t> promised_during(std::size_t step) const;
  [[nodiscard]] const Seen& end() const { return seen_.back(); }
  [[nodiscard]] StubProcess& stub() { return *stub_; }

  // Counts the calls of a class of one step, on a copy.
  [[nodiscard]] long count(std::size_t step, const std::string& among);

  // Goes on from `step` to the end in `dir`. Empty: all went well; else which command ended how.
  std::string finish(const std::filesystem::path& dir, std::size_t step);
  // The same for one step. Sound where the exit code is as Step says.
  std::string repeat(const std::filesystem::path& dir, std::size_t step);

 private:
  std::filesystem::path scratch_;
  std::unique_ptr<StubProcess> stub_;
  std::vector<Step> steps_;
  std::vector<long> calls_;
  std::vector<Seen> seen_;
};

// RESIDUE_CRASH_ONLY=VERB: faults in steps of that verb only (scripts/mutants).
bool wanted(const Step& step);

std::string said(const std::filesystem::path& dir);  // what the last command in `dir` printed

}  // namespace residue::crash
