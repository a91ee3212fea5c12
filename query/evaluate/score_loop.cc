#include "query/evaluate/score_loop.h"

#include <oneapi/tbb/blocked_range.h>

#include <algorithm>

#include "base/parallel_ranges.h"

namespace residue::query {
namespace {

constexpr std::size_t kRecordsAtOnce = 4'096;

}  // namespace

std::uint64_t score_changed(storage::Store& store, const DatasetView& dataset, ScoreStore& scores,
                            const ScoredRecords& records, const Checkpoint& checkpoint) {
  std::uint64_t changed = 0;
  const std::size_t total = dataset.records.size();
  for (std::size_t begin = 0; begin < total; begin += kRecordsAtOnce) {
    const std::size_t end = std::min(begin + kRecordsAtOnce, total);
    std::vector<ScoreStore::Change> changes;
    std::vector<std::size_t> stale;
    for (std::size_t i = begin; i < end; ++i) {
      const RecordView& record = dataset.records[i];
      const std::uint64_t input = records.input(i);
      if (!scores.stale(record.id, input)) continue;
      stale.push_back(i);
      changes.push_back({record.id, input, record.unit, {}});
    }
    parallel_ranges(stale.size(), records.at_once, [&](const auto& range) {
      const auto texts = store.facts().read();
      for (std::size_t j = range.begin(); j < range.end(); ++j) {
        changes[j].contributions = records.contributions(stale[j], *texts);
      }
    });
    if (!changes.empty()) {
      const auto batch = store.write();
      scores.apply(*batch, changes);
      batch->commit();
    }
    changed += changes.size();
    checkpoint(end, total);
  }
  return changed;
}

}  // namespace residue::query
