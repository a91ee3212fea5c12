// `ingest vectors`: what an embedding model made of texts that are there.
#pragma once

#include <string_view>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// Stores the vectors of one file under the model `model`. A vector belongs to a text: records, variants and claims that
// have the same text share it, and the file's first one counts (models give the same text vectors that differ in their
// last bits); a note says how often. The model's first vector decides its dimension. Bad rows: a record, run, variant
// or claim of `set` that the dataset does not have, a variant without a text, another dimension, an id that the file
// has had before. Throws Error{not found} for the dataset, for the set when a claim needs it, and as ingest_claims.
IngestResult ingest_vectors(storage::Store& store, std::string_view dataset, std::string_view model,
                            std::string_view set, RowSource<VectorRow>& source, const SourceIdentity& file,
                            const IngestOptions& options = {});

}  // namespace residue::ingest
