// What is known of runs beside their texts and numbers: how each was made, when, at what cost, and what its owner says
// of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "storage/store.h"

namespace residue::verbs {

// Who wrote a run's texts.
struct RunMade {
  std::string version;             // of the residue that changed them last
  std::int64_t changed_at = 0;     // unix milliseconds, when that was
  std::optional<std::int64_t> ms;  // how long `sanitize` took, all commands together; nothing: they are from files
};

// What making it asked of models, whoever paid for it, as query::RunCard has it.
struct RunCost {
  std::uint64_t requests = 0, tokens_in = 0, tokens_out = 0;
  double usd = 0;
  double uncounted_usd = 0;  // of it what no server counted: the most that it may have been
};

struct RunFacts {
  RunId id;
  std::string dataset, run;
  std::string kind;        // "aligned", "synthetic"; the controls "none", "remove-all"
  bool control = false;    // 'none' or 'remove-all'
  bool sanitized = false;  // `sanitize` made it; else its texts are from files
  std::optional<std::string> sanitizer, group;
  std::map<std::string, std::string> params;
  std::optional<std::int64_t> seed;
  std::int64_t created_at = 0;    // unix milliseconds
  std::vector<std::string> tags;  // in byte order
  std::optional<std::string> note;
  std::optional<RunMade> made;  // nothing: a control, or made before residue kept it
  RunCost cost;
};

// Of one dataset, or of all where `dataset` is empty: by name, controls last. Texts and numbers are not looked at.
// Throws Error{not found} for an unknown dataset. Cost: the runs, and the requests that made them.
std::vector<RunFacts> run_facts(storage::Db& db, const std::string& dataset);

}  // namespace residue::verbs
