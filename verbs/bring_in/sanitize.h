// `sanitize`: a run made by a built-in method, or a run for each value of one of its parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingest/sanitize/sanitize.h"
#include "storage/store.h"
#include "verbs/bring_in/asking.h"
#include "verbs/bring_in/planned.h"

namespace residue::verbs {

// A run RUN@VALUE for each value of a parameter, reported together where there are several.
struct Sweep {
  std::string param;
  std::vector<std::string> values;
};

struct SanitizeOptions {
  std::string dataset, run;
  // `asking.session` is filled in here. What is announced names its run where there are several.
  ingest::SanitizePlan plan;
  std::optional<Sweep> sweep;
  unsigned jobs = 1;     // changes no text
  bool dry_run = false;  // says what would be sent instead
  AskingOptions asking;
  std::vector<std::string> tags = {};    // of each run
  std::optional<std::string> note = {};  // likewise
  std::string version = {};              // of this residue, kept with the runs; empty: nothing is kept
};

struct SanitizeResult : Asked {
  std::vector<std::string> runs;         // that were made, in their order
  std::optional<PlannedAsking> planned;  // of a dry run, and nothing else then
};

// What sanitize() refuses whatever the store holds: a sweep without values of its own; of a method that asks nobody a
// budget or a dry run; of one that asks a seed. Throws Error{usage}.
void check(const SanitizeOptions& options);

// All values of a sweep are looked at before the first run is made. Throws as check(), ingest::check_sanitize() and
// ingest::sanitize_dataset(): what was made until then is kept.
SanitizeResult sanitize(storage::Store& store, const SanitizeOptions& options);

}  // namespace residue::verbs
