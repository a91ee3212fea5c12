// Evaluations that are running now, as their processes tell it: what is done, of what, how fast. Who looks waits for
// nobody, and an evaluation waits for nobody who looks.
//
//   evaluate ── EvalStep ──> RunningEvaluation ── a notice in the store's folder ──> running_evaluations()
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "query/prepare/eval_options.h"
#include "storage/disk/notice.h"

namespace residue::query {

// So much of something is done; since when it is counted, a rate.
struct Pace {
  std::uint64_t done = 0;
  std::optional<std::uint64_t> total;
  std::optional<double> per_second;  // nothing: it began just now
};

// A process that evaluates. Names and numbers alone: read at every level.
struct Running {
  EvalStep step;
  std::string judge;
  Pace stage;                  // of the stage
  std::optional<Pace> asking;  // requests to a model, inside of the stage
  double seconds = 0;          // since it began
  double silent = 0;           // seconds since it said this
};

// Tells others about the evaluation of this process for as long as it lives. From any thread.
class RunningEvaluation {
 public:
  RunningEvaluation(const std::filesystem::path& store, std::string judge);

  void step(const EvalStep& step);
  // Of requests, or of what is computed behind the attacks: `what` is the name of the stage then.
  void asking(std::uint64_t done, std::optional<std::uint64_t> total);
  void other(const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total);

 private:
  using Clock = std::chrono::system_clock;  // other processes have the same
  struct Counted {
    Clock::time_point since;
    std::uint64_t first = 0;
    Pace pace;
    void count(std::uint64_t done, std::optional<std::uint64_t> total);
  };
  void begin_stage(const EvalStep& step);
  void say(bool at_once);

  std::mutex mutex_;
  storage::Notice notice_;
  std::string judge_;
  Clock::time_point began_, said_;
  std::optional<EvalStep> now_;
  Counted stage_;
  std::optional<Counted> asking_;
};

// Of a store, whose folder is given. Opens nothing else of it. Those that were killed are not among them.
std::vector<Running> running_evaluations(const std::filesystem::path& store);

}  // namespace residue::query
