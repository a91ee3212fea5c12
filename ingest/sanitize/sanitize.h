// `sanitize`: a run made by a built-in method, aligned, or synthetic by synthesize.h; of a method of rounds a run of
// each.
//
//   record texts ─(jobs threads)─> Sanitizer::sanitize_all ─> variants of NAME
//                                                        └─> of NAME@1 ─> sanitize_all ─> of NAME@2 ...
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/batches/ask_plan.h"
#include "ingest/batches/result.h"
#include "ingest/method/sanitizer.h"
#include "storage/store.h"

namespace residue::ingest {

struct SanitizePlan {
  std::string method;
  std::map<std::string, std::string> params;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> group;  // nothing: of a method of rounds the name of its runs
  SanitizerAsking asking = {};
  std::function<void(const std::string&)> announce = {};  // of a private release: what is spent, before it is made
  std::chrono::milliseconds keep_every{1000};  // answers of a program stay unstored no longer; shorter only in tests
};

struct SanitizeResult : IngestResult {
  std::vector<std::string> runs;  // in the order of their rounds
};

// Makes or updates the run; what is there already and equal stays untouched. The run's sanitizer is the method and its
// params the method's spec, of a round with its number. Counts are records, of all rounds, or the texts of a synthetic
// run. `none` into the control `none` and `remove-all` into `remove-all` are accepted and change nothing. A record that
// failed in one round has failed in all behind it. Deterministic for any `jobs`. Throws Error{usage} for another run
// under a control's name, for a run that was read from files or is of the other kind, and as make_sanitizer(),
// atomize_dataset() and model::ask(): what was answered until then is kept, and the run is incomplete.
SanitizeResult sanitize_dataset(storage::Store& store, std::string_view dataset, std::string_view run,
                                const SanitizePlan& plan, unsigned jobs, const IngestOptions& options = {});

// Throws what sanitize_dataset() would throw before it makes anything: for settings, for a run that cannot become one
// of the method's. What only training shows is not found (texts too few for a privacy budget).
void check_sanitize(storage::Store& store, std::string_view dataset, std::string_view run, const SanitizePlan& plan);

// What a method that asks would send: nothing is sent, nothing changes.
struct SanitizeAskPlan {
  struct Model {
    model::Endpoint endpoint;
    AskPlan plan;
  };
  std::vector<Model> models;  // by name
  std::uint64_t more = 0;     // texts about which more may be asked, depending on answers that are not there yet
};

// Throws Error{usage} for a method that asks nobody, and as sanitize_dataset().
SanitizeAskPlan plan_sanitize(storage::Store& store, std::string_view dataset, const SanitizePlan& plan);

}  // namespace residue::ingest
