// `ingest dataset`: records, upserted by key, and the claims that some presets carry.
#pragma once

#include <string_view>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

inline constexpr std::string_view kDefaultClaimSet = "claims";

// Stores the records of one file, making the dataset (with its control runs `none` and `remove-all`) if needed. Nothing
// is ever deleted. Bad rows: a key that the file has had before, an unusable key; with `append`, a key that exists with
// another text. Memory: one batch and 12 to 24 bytes per record. Throws Error{bad input|usage|interrupted|...}.
IngestResult ingest_dataset(storage::Store& store, std::string_view name, RowSource<RecordRow>& source,
                            const SourceIdentity& file, const IngestOptions& options = {});

}  // namespace residue::ingest
