// membership_auc and membership_tpr_01: are the texts of a release more like the records that they were made from than
// like records of people who were never in it?
//
//   records of both datasets, texts of the run ── likeness.h ──> ranks ── two_samples.h ──> rows
#pragma once

#include <vector>

#include "base/progress.h"
#include "query/inputs/snapshot.h"
#include "query/metric/aggregate.h"
#include "storage/store.h"

namespace residue::query {

// A record whose text failed, or any of a synthetic run that lost texts, counts as more alike than all others. Records
// of fewer than five words are not applicable. n, failed and not_applicable count records of both datasets. The caller
// holds Store::hold_texts().
std::vector<MetricRow> membership_rows(const storage::Store& store, const DatasetView& released, const RunView& run,
                                       const DatasetView& control, const ProgressFunction& checkpoint);

}  // namespace residue::query
