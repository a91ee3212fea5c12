// `atomize`: claims out of records, by the embedded atomizer.
//
//   record texts ─(jobs threads)─> atomize() ─> claim set, source kAtomizerVersion
#pragma once

#include <string_view>

#include "ingest/result.h"
#include "storage/store.h"

namespace residue::ingest {

inline constexpr std::string_view kSentenceSet = "sentences";

// Makes the claims of all records of the dataset in the set `set`; what is there already and equal stays untouched.
// Counts are records. Deterministic for any `jobs`. Throws Error{not found}, Error{bad input} for a dataset whose input
// was not read to its end, Error{usage} for a set of ingested claims, Error{interrupted}.
IngestResult atomize_dataset(storage::Store& store, std::string_view dataset, std::string_view set, unsigned jobs,
                             const IngestOptions& options = {});

}  // namespace residue::ingest
