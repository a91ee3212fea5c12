// `atomize DATASET/RUN`: claims out of a run's sanitized texts, for attackers whose claims vote (`bm25-vote`).
//
//   variant texts ─> ClaimMaker ─> run claim set with the maker's source
#pragma once

#include <string_view>

#include "ingest/atomize/claim_maker.h"
#include "ingest/batches/result.h"
#include "storage/store.h"

namespace residue::ingest {

// Makes the claims of all usable variants of the run in the set `set`; failed and empty ones have none. What is there
// already and equal stays untouched; the set says of which content of the run it was made. Counts are variants.
// Deterministic for any `jobs`. Throws Error{not found}, Error{usage} for the automatic controls, Error{bad input} for
// a run whose input was not read to its end, Error{interrupted}.
IngestResult atomize_run(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view set,
                         unsigned jobs, const IngestOptions& options = {});

// The same by `maker`, as atomize_dataset(). A variant whose claims could not be made is as unfindable to attackers
// whose claims vote as one without any: the set stays unfinished, and they refuse it.
IngestResult atomize_run(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view set,
                         ClaimMaker& maker, const IngestOptions& options = {});

}  // namespace residue::ingest
