#include "query/outside/outside_store.h"

#include <cstdint>
#include <optional>

#include "query/inputs/snapshot.h"
#include "query/stored/stored_scores.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/outside_content.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/metric_history.h"
#include "storage/catalog/results/metric_reason.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::query {

using storage::Statement;

std::optional<OutsideControl> find_outside_control(storage::Db& db, DatasetId released) {
  Statement find = db.prepare(storage::sql::kDatasetControlOf);
  if (!find.bind(released).step()) return std::nullopt;
  OutsideControl control{find.id<DatasetId>(0), std::string(find.text(1)), {}};
  control.content = dataset_content(db, control.id);
  return control;
}

void want_membership(storage::Store& store, const std::vector<storage::Target>& targets) {
  for (const storage::Target& target : targets) {
    const DatasetId dataset = storage::find_dataset(store.db(), target.dataset);
    const auto control = find_outside_control(store.db(), dataset);
    if (!control) continue;
    for (const RunHead& run : list_runs(store.db(), dataset)) {
      if (target.run && *target.run != run.name) continue;
      const OutsideStore rows(run.id, {}, {}, control->id);
      if (rows.id(store.db())) continue;
      const auto batch = store.write();
      rows.want(*batch);
      batch->commit();
    }
  }
}

std::optional<EvaluationId> OutsideStore::id(storage::Db& db) const {
  Statement find = db.prepare(storage::sql::kEvaluationIdOfOutside);
  if (!find.bind(run_, protocol_, judge_, control_).step()) return std::nullopt;
  return find.id<EvaluationId>(0);
}

std::string OutsideStore::content(storage::Db& db) const {
  if (judge_.value == 0) return dataset_content(db, control_);
  Statement find = db.prepare(storage::sql::kOutsideContent);
  return find.bind(run_, protocol_, judge_, control_).step() ? std::string(find.text(0)) : std::string();
}

bool OutsideStore::current(storage::Db& db, const Contents& contents) const {
  return ScoreStore::current(db, run_, Tier::kOutside, protocol_, judge_, contents);
}

bool OutsideStore::failed(storage::Db& db) const {
  const auto evaluation = id(db);
  if (!evaluation) return false;
  Statement find = db.prepare(storage::sql::kMetricFailedOfEvaluation);
  return find.bind(*evaluation).step();
}

void OutsideStore::want(storage::WriteBatch& batch) const {
  if (id(batch.db())) return;
  batch.db().prepare(storage::sql::kInsertEvaluationOfOutside).run(run_, protocol_, judge_, control_, kDefinitions);
}

void OutsideStore::put(storage::WriteBatch& batch, const std::vector<MetricRow>& rows, const Contents& contents) const {
  storage::Db& db = batch.db();
  want(batch);
  const EvaluationId evaluation = *id(db);
  db.prepare(storage::sql::kDeleteMetricsOfEvaluation).run(evaluation);
  db.prepare(storage::sql::kDeleteMetricReasonsOfEvaluation).run(evaluation);
  MetricWriter writer(db, evaluation);
  Statement last = db.prepare(storage::sql::kMetricHistoryLatest);
  for (const MetricRow& row : rows) {
    writer.put(row);
    const bool known = last.bind(evaluation, static_cast<std::int64_t>(row.metric)).step();
    const bool same = known && (last.is_null(0) ? std::nullopt : std::optional(last.real(0))) == row.value &&
                      last.integer(1) == row.n && last.integer(2) == row.failed && last.integer(3) == row.missing;
    last.reset();
    if (!same) writer.remember(row);
    if (!row.reason.empty()) writer.explain(row.metric, row.reason);
  }
  db.prepare(storage::sql::kUpdateEvaluationDefinitionsAndContents)
      .run(evaluation, kDefinitions, Statement::Blob{contents.run}, Statement::Blob{contents.dataset},
           Statement::Blob{contents.claims});
}

}  // namespace residue::query
