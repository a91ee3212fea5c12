// What is current, stale, incomplete or being worked on. Of runs that are not evaluated, the texts are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

struct RunStatus {
  std::string dataset, run;
  bool control = false;
  // Stored variants; of these failed, as reports and the view `runs` count them (controls: none are stored); of the
  // failed ones, those that are one text for many records (model/suspicion/one_for_many.h).
  std::uint64_t variants = 0, failed = 0, one_for_many = 0;
  bool running = false;  // another process is evaluating it
  struct Evaluation {
    std::string protocol, judge;  // empty judge: the link tier alone
    std::uint64_t sample = 0;
    bool superseded = false;     // by a judge of earlier settings, which cannot be asked any more
    bool current = false;        // as ReportRun::stale: of all that `eval` computes for a report
    std::vector<OldMetric> old;  // what it computes only where it is asked to
  };
  std::vector<Evaluation> evaluations;  // control linkers left out
};

struct IncompleteInput {
  std::string target;  // 'run clinic/scrub'
  std::uint64_t lines = 0;
};

// A dataset whose people were never in a release of another one.
struct ControlPair {
  std::string dataset, of;
};

struct Status {
  std::vector<RunStatus> runs;
  std::vector<ControlPair> controls;  // that the datasets looked at are, or have
  std::vector<IncompleteInput> incomplete;
  std::vector<std::string> outdated;  // outdated_notes and label_notes of the datasets
};

// `progress` is told of each run. Cost: a look at every text of the runs.
Status read_status(storage::Store& store, const std::optional<std::string>& dataset,
                   const ProgressFunction& progress = {});

}  // namespace residue::query
