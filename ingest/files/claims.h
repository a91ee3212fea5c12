// `ingest claims`: atomic claims of records, made elsewhere.
#pragma once

#include <string_view>

#include "ingest/batches/claim_writer.h"
#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// Stores the claims of one file in the set `set` of an existing dataset. An array replaces the record's claims; a
// single claim sets the one that it numbers, or the one after the file's last for that record. Bad rows: a record that
// the dataset does not have, a blank claim, a record or number that the file has had before. A note says how many
// records have no claims afterwards. Throws Error{not found} for the dataset, Error{usage} for a set of another origin,
// and as ingest_dataset.
IngestResult ingest_claims(storage::Store& store, std::string_view dataset, std::string_view set,
                           RowSource<ClaimsRow>& source, const SourceIdentity& file, const IngestOptions& options = {},
                           ClaimOrigin origin = ClaimOrigin::kTexts);

}  // namespace residue::ingest
