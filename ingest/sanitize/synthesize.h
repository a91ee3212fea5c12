// `sanitize` with a method that releases a data set: a synthetic run, its texts numbered from 1.
//
//   Synthesizer ─(jobs threads)─> texts ─> variants '1', '2', ...
#pragma once

#include <functional>
#include <string>

#include "ingest/batches/result.h"
#include "ingest/files/run.h"
#include "ingest/method/synthesizer.h"
#include "storage/store.h"

namespace residue::ingest {

struct SynthesisTarget {
  std::string dataset_name;
  DatasetId dataset;
  std::string run;
  // Told what a private release will have cost, before it is made.
  std::function<void(const std::string&)> announce = {};
};

// Makes or updates the run; what it promises is in the ledger with its first texts; texts that are there and equal stay
// untouched, those behind the last one go. The caller holds Store::hold_targets(). Deterministic for any `jobs`;
// repeatable after an interruption. Throws Error{usage} where the run's texts are aligned to records,
// Error{interrupted}.
IngestResult synthesize(storage::Store& store, const SynthesisTarget& target, RunSpec spec,
                        const Synthesizer& synthesizer, unsigned jobs, const IngestOptions& options);

}  // namespace residue::ingest
