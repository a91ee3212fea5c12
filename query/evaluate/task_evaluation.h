// Scoring what models answered to tasks about a run's texts: tier task. Nobody is asked here.
//
//   task_answer ─> answered.h ─> task_scores.h ─> contributions ─> sums ─> metric rows
#pragma once

#include <cstdint>

#include "base/progress.h"
#include "query/evaluate/run_scores.h"
#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

// Brings the metrics of all answers about the run up to date; sets that did not change cost nothing. Tasks without
// metrics are passed over. The caller holds Store::lock_run() and Store::hold_texts().
void evaluate_tasks(storage::Store& store, DatasetId dataset, const RunHead& run, std::size_t keep_replicates_from,
                    const ProgressFunction& checkpoint);

// Whether evaluate_tasks() has nothing to do.
bool tasks_current(storage::Db& db, DatasetId dataset, const RunHead& run);

}  // namespace residue::query
