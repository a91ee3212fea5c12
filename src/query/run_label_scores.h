// Tier label of one run: the loop over records that scores and stores what changed.
#pragma once

#include "query/labels.h"
#include "query/run_scores.h"

namespace residue::query {

// `labels`: load_labels() of the same view.
ScoringCounts score_labels(storage::Store& store, const DatasetView& dataset, const RunView& run, const Labels& labels,
                           ScoreStore& scores, const Checkpoint& checkpoint);

}  // namespace residue::query
