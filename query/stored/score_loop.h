// The loop of the tiers that one store of scores is of: records whose inputs changed are scored and stored, batch by
// batch.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "query/inputs/chunks.h"
#include "query/metric/contribution.h"
#include "query/stored/score_store.h"
#include "storage/store.h"

namespace residue::query {

// Between two looks at whether to stop: a second of a slow build.
inline constexpr std::size_t kRecordsAtOnce = 1'024;

// The records [0, count) of an evaluation.
struct RecordScoring {
  std::size_t count = 0;
  // The i-th without its contributions; its `input` is everything that they depend on. Nothing: it is no target.
  std::function<std::optional<ScoreStore::Change>(std::size_t i)> look;
  // Called before the contributions of some records, in order, are asked for. May be empty.
  std::function<void(std::span<const std::size_t> records)> prepare;
  // Called from several threads, for `at_once` records or more by one.
  std::function<std::vector<Contribution>(std::size_t i, const storage::Facts::Reader& texts)> contributions;
  std::size_t at_once = 1;
  std::size_t prepared_at_once = kRecordsAtOnce;
};

// Returns how many records were scored. Throws as `checkpoint` does, between batches.
std::uint64_t score_changed(storage::Store& store, ScoreStore& scores, const RecordScoring& records,
                            const ProgressFunction& checkpoint);

}  // namespace residue::query
