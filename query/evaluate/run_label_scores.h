// Tier label of one run: the loop over records that scores and stores what changed.
#pragma once

#include <string>

#include "base/progress.h"
#include "query/evaluate/run_scores.h"
#include "query/inputs/labels.h"

namespace residue::query {

// Whether the run's numbers of this tier are of these contents. A dataset without such labels (`labels`, label_content,
// is empty) has none.
bool labels_current(storage::Db& db, const RunHead& run, const std::string& dataset, const std::string& labels);

// Brings them up to date. The caller holds Store::lock_run() and Store::hold_texts().
void evaluate_marks(storage::Store& store, const DatasetView& dataset, const RunView& run,
                    std::size_t keep_replicates_from, const ProgressFunction& checkpoint);

}  // namespace residue::query
