#include "query/stored/score_loop.h"

#include <oneapi/tbb/blocked_range.h>

#include <utility>

#include "base/parallel_ranges.h"
#include "base/progress.h"

namespace residue::query {
namespace {

struct Stale {
  std::vector<std::size_t> records;
  std::vector<ScoreStore::Change> changes;
};

Stale stale_among(const ScoreStore& scores, const RecordScoring& records, std::size_t begin, std::size_t end) {
  Stale stale;
  for (std::size_t i = begin; i < end; ++i) {
    std::optional<ScoreStore::Change> change = records.look(i);
    if (!change || !scores.stale(change->record, change->input)) continue;
    stale.records.push_back(i);
    stale.changes.push_back(*std::move(change));
  }
  return stale;
}

void score(storage::Store& store, ScoreStore& scores, const RecordScoring& records, std::span<const std::size_t> stale,
           std::span<ScoreStore::Change> changes) {
  if (records.prepare) records.prepare(stale);
  parallel_ranges(stale.size(), records.at_once, [&](const auto& range) {
    const auto texts = store.facts().read();
    for (std::size_t j = range.begin(); j < range.end(); ++j) {
      changes[j].contributions = records.contributions(stale[j], *texts);
    }
  });
  scores.apply(changes);
}

}  // namespace

std::uint64_t score_changed(storage::Store& store, ScoreStore& scores, const RecordScoring& records,
                            const ProgressFunction& checkpoint) {
  std::uint64_t changed = 0;
  in_chunks(records.count, kRecordsAtOnce, checkpoint, [&](std::size_t begin, std::size_t end) {
    Stale stale = stale_among(scores, records, begin, end);
    in_chunks(stale.records.size(), records.prepared_at_once, {}, [&](std::size_t from, std::size_t to) {
      score(store, scores, records, std::span(stale.records).subspan(from, to - from),
            std::span(stale.changes).subspan(from, to - from));
    });
    changed += stale.changes.size();
  });
  return changed;
}

}  // namespace residue::query
