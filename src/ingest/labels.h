// `ingest labels`: what people or ground truth said about records and claims.
#pragma once

#include <string_view>

#include "ingest/progress.h"
#include "ingest/result.h"
#include "ingest/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// Stores the labels of one file; a label that is there already (same record, same payload) is the same one. Offsets of
// spans are checked against the record's text and stored in bytes ("unit":"byte"). Bad rows: a record, claim or run
// that the dataset does not have, offsets outside the text or inside a character, a span's text that is not what they
// cover. `set` names the claim set that "r-12#2" counts in; nothing: any set. Throws as ingest_claims.
IngestResult ingest_labels(storage::Store& store, std::string_view dataset, std::string_view kind,
                           const std::optional<std::string>& set, RowSource<LabelRow>& source,
                           const SourceIdentity& file, const IngestOptions& options = {});

}  // namespace residue::ingest
