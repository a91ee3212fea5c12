// The loop of the tiers that look at no attack: records whose inputs changed are scored and stored, batch by batch.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "query/evaluate/run_scores.h"
#include "query/inputs/snapshot.h"
#include "query/metric/contribution.h"
#include "query/stored/score_store.h"
#include "storage/store.h"

namespace residue::query {

// Of the i-th record of a dataset. `contributions` is called from several threads, `at_once` records or more by one.
struct ScoredRecords {
  std::function<std::uint64_t(std::size_t i)> input;  // everything that its scores depend on
  std::function<std::vector<Contribution>(std::size_t i, const storage::Facts::Reader& texts)> contributions;
  std::size_t at_once = 1;
};

// Returns how many records were scored. Throws as `checkpoint` does, between batches.
std::uint64_t score_changed(storage::Store& store, const DatasetView& dataset, ScoreStore& scores,
                            const ScoredRecords& records, const Checkpoint& checkpoint);

}  // namespace residue::query
