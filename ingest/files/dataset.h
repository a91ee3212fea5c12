// `ingest dataset`: records, upserted by key, and the claims that some presets carry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

inline constexpr std::string_view kDefaultClaimSet = "claims";

// Stores the records of one file, making the dataset (with its control runs `none` and `remove-all`) if needed. Nothing
// is ever deleted: a field that a row does not have stays as it is stored, of the metadata each by itself (RecordRow).
// Bad rows: a key that the file has had before, an unusable key, a new record without a text; with `append`, a key that
// exists with another value in any field. Claims and aligned runs that were made here from these records stay up to
// date where only persons, labels or metadata changed. Memory: one batch and 12 to 24 bytes per record. Throws
// Error{bad input|usage|interrupted|...}.
IngestResult ingest_dataset(storage::Store& store, std::string_view name, RowSource<RecordRow>& source,
                            const SourceIdentity& file, const IngestOptions& options = {});

// "12 records changed: text of 3, person of 9 (emptied: 5)", and how many lines had no text.
std::vector<std::string> field_notes(const IngestResult& result);

}  // namespace residue::ingest
