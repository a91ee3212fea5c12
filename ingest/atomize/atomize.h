// `atomize`: claims out of records, by the embedded atomizer or a model.
//
//   record texts ─> ClaimMaker ─> claim set with the maker's source
#pragma once

#include <string_view>

#include "ingest/atomize/claim_maker.h"
#include "ingest/batches/result.h"
#include "storage/store.h"

namespace residue::ingest {

inline constexpr std::string_view kSentenceSet = "sentences";

// Makes the claims of all records of the dataset in the set `set`; what is there already and equal stays untouched.
// Counts are records. Deterministic for any `jobs`. Throws Error{not found}, Error{bad input} for a dataset whose input
// was not read to its end, Error{usage} for a set of ingested claims, Error{interrupted}.
IngestResult atomize_dataset(storage::Store& store, std::string_view dataset, std::string_view set, unsigned jobs,
                             const IngestOptions& options = {});

// The same by `maker`. A record whose claims could not be made has none: it counts as bad, and a note says why. Throws
// also what the maker throws; what it was answered until then is kept, and the set is incomplete.
IngestResult atomize_dataset(storage::Store& store, std::string_view dataset, std::string_view set, ClaimMaker& maker,
                             const IngestOptions& options = {});

}  // namespace residue::ingest
