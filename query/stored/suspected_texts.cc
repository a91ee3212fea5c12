#include "query/stored/suspected_texts.h"

#include <cstdint>

#include "model/suspicion/one_for_many.h"
#include "query/stored/current_evaluation.h"
#include "storage/catalog/results/aggregate.h"
#include "storage/catalog/sources/record.h"

namespace residue::query {

// This metric fails for a record with an original exactly if the record has no text or a suspected one. So if no more
// records failed than have no text, none is suspected. At most one original of a suspected text is the empty one, so
// some of its records are always among the failed. Empty texts are left out of the count: whether one failed depends on
// its original, and one too many could hide a suspected text.
bool nothing_suspected(storage::Db& db, const storage::Facts::Reader& texts, RunId run) {
  constexpr MetricId kOfEveryText = MetricId::kBleu1;
  const auto evaluated = current_evaluation(db, run, Tier::kText, ProtocolId{}, Witness{});
  if (!evaluated || !evaluated->changed.empty()) return false;
  storage::Statement sums = db.prepare(storage::sql::kAggregateFailed);
  sums.bind(evaluated->id, static_cast<std::int64_t>(kOfEveryText));
  if (!sums.step() || sums.is_null(0)) return false;
  const std::int64_t failed = sums.integer(0);
  if (failed == 0) return true;
  storage::Statement without = db.prepare(storage::sql::kRecordCountWithoutTextInRun);
  without.bind(run, texts.find("").value_or(TextId{-1})).step();
  return failed == without.integer(0);
}

RunView load_evaluated_run(storage::Store& store, const DatasetView& dataset, const RunHead& run) {
  const storage::ReadTransaction snapshot(store.db());
  return load_run(store, dataset, run, nothing_suspected(store.db(), *store.facts().read(), run.id));
}

std::unordered_set<RecordId> suspected_texts(storage::Db& db, const storage::Facts::Reader& texts, RunId run) {
  if (nothing_suspected(db, texts, run)) return {};
  return model::one_for_many(db, texts, run);
}

}  // namespace residue::query
