// Where numbers of tier corpus are kept: table evaluation and what hangs on it.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "query/corpus/corpus_scores.h"
#include "query/stored/score_store.h"

namespace residue::query {

// One evaluation of tier corpus: of a run, by an embedder's vectors or (0) without.
class CorpusStore {
 public:
  CorpusStore(storage::Db& db, RunId run, EmbedderId embedder);

  // The metrics that have rows, and whether these are of `contents` and the present definitions.
  [[nodiscard]] std::set<MetricId> metrics() const;
  [[nodiscard]] bool current(const Contents& contents) const;

  // Replaces the run's rows of these metrics, those of other embedders too, and of older contents all that this
  // evaluation has. Up to date from the commit on.
  struct Result {
    MetricId id{};
    CorpusMetric metric;
  };
  void put(storage::WriteBatch& batch, const DatasetView& dataset, const std::vector<Result>& results,
           const Contents& contents);

 private:
  void forget(storage::Db& db, const std::set<MetricId>& metrics);
  void put_rows(storage::Db& db, const Result& result);
  void put_scores(storage::Db& db, const DatasetView& dataset, const std::vector<Result>& results);

  storage::Db& db_;
  RunId run_;
  EmbedderId embedder_;
};

}  // namespace residue::query
