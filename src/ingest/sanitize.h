// `sanitize`: a run made by a built-in method, aligned, or synthetic by synthesize.h.
//
//   record texts ─(jobs threads)─> Sanitizer::sanitize ─> variants
#pragma once

#include <map>
#include <string_view>

#include "ingest/result.h"
#include "storage/store.h"

namespace residue::ingest {

struct SanitizePlan {
  std::string method;
  std::map<std::string, std::string> params;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> group;
};

// Makes or updates the run; what is there already and equal stays untouched. The run's sanitizer is the method and its
// params the method's spec. Counts are records, of a synthetic run texts. `none` into the control `none` and `remove-all` into `remove-all` are
// accepted and change nothing. Deterministic for any `jobs`. Throws Error{usage} for another run under a control's name
// for a run that was read from files or is of the other kind, and as atomize_dataset.
IngestResult sanitize_dataset(storage::Store& store, std::string_view dataset, std::string_view run,
                              const SanitizePlan& plan, unsigned jobs, const IngestOptions& options = {});

// Whether `sanitize` made that run: its row then names method, version and settings.
bool made_by_sanitize(storage::Db& db, DatasetId dataset, std::string_view run);

}  // namespace residue::ingest
