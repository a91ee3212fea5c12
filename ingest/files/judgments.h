// `ingest judgments`: what judges said elsewhere, for money that need not be paid again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// Stores the judgments of one file under their judges' names. Every sample stays a row of its own; the rating of a pair
// is the mode of its samples, of a tie the lower. Bad rows: a judge's name that is none or that of a judge of this
// program, a blank text, a sample that already has another rating, and, for rows with a "run", what `dataset` does not
// have (its claims are counted in `set`). Throws as ingest_labels.
IngestResult ingest_judgments(storage::Store& store, const std::optional<std::string>& dataset, std::string_view set,
                              RowSource<JudgmentRow>& source, const SourceIdentity& file,
                              const IngestOptions& options = {});

}  // namespace residue::ingest
