// `ingest dataset --control-of`: people who were never in a release.
#pragma once

#include <string_view>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// As ingest_dataset() (dataset.h), of people who were never in a release of the dataset called `of`. Once a dataset is
// such a control, or has one, ingest_dataset() too takes a file whole or not at all, in one batch, and refuses it where
// the two would share a record.
IngestResult ingest_control(storage::Store& store, std::string_view name, std::string_view of,
                            RowSource<RecordRow>& source, const SourceIdentity& file,
                            const IngestOptions& options = {});

}  // namespace residue::ingest
