// `ingest answers`: what models elsewhere answered to tasks about a run's texts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/names.h"
#include "ingest/rows/rows.h"
#include "storage/catalog/answer_sets.h"
#include "storage/store.h"

namespace residue::ingest {

// Whether answers can be under this name: 1 to 128 bytes.
std::optional<Problem> check_answerer(std::string_view model);

// What became of an answer's row.
Outcome outcome_of(storage::AnswerSetWriter::Change change);

// Stores the answers of one file by run, model, task and record: another answer replaces the one that is there. Bad
// rows: a record or run that the dataset does not have, a run whose texts belong to no record, a choice of a record
// without a task, a right answer ("gold") that is not the task's, a second answer of a model to the same task and
// record in one file, guesses about an attribute that neither text::attribute_names() nor a label of the dataset has,
// and a model that was asked here. Throws as ingest_labels.
IngestResult ingest_answers(storage::Store& store, const std::string& dataset, RowSource<AnswerRow>& source,
                            const SourceIdentity& file, const IngestOptions& options = {});

}  // namespace residue::ingest
