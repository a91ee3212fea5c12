// `ingest answers`: what models elsewhere answered to the records' tasks.
#pragma once

#include <string>

#include "ingest/progress.h"
#include "ingest/result.h"
#include "ingest/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// Stores the answers of one file by run, model and record: another answer replaces the one that is there. Bad rows: a
// record or run that the dataset does not have, a run whose texts belong to no record, a record without a task, a right
// answer ("gold") that is not the task's, and a second answer of a model to the same record in one file. Throws as
// ingest_labels.
IngestResult ingest_answers(storage::Store& store, const std::string& dataset, RowSource<AnswerRow>& source,
                            const SourceIdentity& file, const IngestOptions& options = {});

}  // namespace residue::ingest
