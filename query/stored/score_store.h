// Keeping scores and their sums: for every record whose inputs changed, the old contributions are taken out and the new
// ones put in, so an update costs what changed and equals a fresh computation bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "query/inputs/snapshot.h"
#include "query/metric/aggregate.h"
#include "query/metric/contribution.h"
#include "query/metric/metrics.h"
#include "query/stored/stored_scores.h"
#include "query/stored/witness.h"
#include "storage/catalog/packed_scores.h"
#include "storage/store.h"

namespace residue::query {

// The three contents that an evaluation was computed from.
struct Contents {
  std::string run, dataset, claims;
  friend bool operator==(const Contents&, const Contents&) = default;
};

// One row of `evaluation` and everything below it.
class ScoreStore {
 public:
  // True if the evaluation exists, was computed under the present definitions and from these contents.
  static bool current(storage::Db& db, RunId run, Tier tier, ProtocolId protocol, const Witness& witness,
                      const Contents& contents);

  // Records whose judge gave no answer are stored with this input, which no record has: they are scored again whenever
  // somebody evaluates, because an answer may have come.
  static constexpr std::uint64_t kWaiting = 0;
  static bool waits(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge);

  // Finds or adds the evaluation and loads what its records were scored from. Scores under other definitions are
  // dropped. From `keep_from` records on the replicates' sums are kept in the catalog; below, they are summed anew from
  // the scores.
  ScoreStore(storage::Store& store, RunId run, Tier tier, ProtocolId protocol, const Witness& witness,
             std::size_t keep_from);

  // Whether the record's scores have to be computed again.
  [[nodiscard]] bool stale(RecordId record, std::uint64_t input) const;
  [[nodiscard]] std::uint64_t scored() const { return scored_.size(); }

  // Takes out records that are no target any more (a sample changes when records arrive); must run inside `batch`.
  void keep_only(storage::WriteBatch& batch, const std::unordered_set<RecordId>& targets);

  // Replaces the records' contributions, in batches of its own: other writers wait for some milliseconds each.
  struct Change {
    RecordId record;
    std::uint64_t input = 0;
    std::uint64_t unit = 0;
    std::vector<Contribution> contributions;
  };
  void apply(std::span<const Change> changes);

  // Takes out records that are gone, writes sums, metric rows and history, and says what they were computed from: up to
  // date from its last batch on. `record_count`: of the dataset, or of the sample. `more`: rows of metrics that records
  // do not add up to, made from the scores as they are then.
  using MoreRows = std::function<std::vector<MetricRow>(storage::Db& db, EvaluationId evaluation)>;
  void finish(const Contents& contents, bool independent, std::size_t record_count, const MoreRows& more = {});

 private:
  struct Scored {
    std::uint64_t input = 0, unit = 0;
  };
  void drop_scores();
  void forget(storage::Db& db, const std::vector<RecordId>& gone);
  void forget_removed();
  void number_cuts(std::span<const Change> changes);
  void take_out(storage::Statement& old, RecordId record);
  // use(sums, contribution) for all packed contributions whose sums are kept.
  template <class Use>
  void each_summed(std::string_view bytes, const Use& use);
  Aggregate* sums_of(MetricId metric, const std::string& cut);  // null: sums of it are not kept
  void load_aggregates();
  void rebuild_aggregates();
  void mark_incomplete(storage::Db& db);
  void unsettle(storage::Db& db);
  void drop_empty_cuts(storage::Db& db);
  void store_aggregates(storage::Db& db, bool keep_replicates);
  std::vector<MetricRow> all_rows(bool independent);
  const Clusters& clusters_of(const Aggregate& aggregate);
  void add_answered(std::vector<MetricRow>& rows);
  void store_rows(storage::Db& db, const std::vector<MetricRow>& rows);

  storage::Store& store_;
  Tier tier_;
  std::size_t keep_from_;
  EvaluationId id_;
  std::unordered_map<RecordId, Scored> scored_;
  std::map<std::pair<MetricId, std::string>, Aggregate> aggregates_;  // by metric and cut
  std::vector<Aggregate*> wholes_;  // by metric: of no cut; null: sums of it are not kept
  CutNumbers cuts_;
  std::unordered_map<const Aggregate*, Clusters> clusters_;
  bool clusters_read_ = false;
  bool independent_ = false;  // records are the resampling units, as all_rows() was told
  bool loaded_ = false;
  bool marked_ = false;
  std::size_t unsettled_ = 0;  // parts that have rows without replicates
};

template <class Use>
void ScoreStore::each_summed(std::string_view bytes, const Use& use) {
  storage::ScoreReader reader(bytes);
  storage::PackedScore score;
  while (reader.next(score)) {
    const Contribution c = unpacked(score, cuts_.name(store_.db(), score.cut));
    if (Aggregate* const sums = sums_of(c.metric, c.cut)) use(*sums, c);
  }
}

}  // namespace residue::query
