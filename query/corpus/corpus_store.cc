#include "query/corpus/corpus_store.h"

#include <optional>
#include <string>
#include <string_view>

#include "query/stored/stored_scores.h"
#include "storage/catalog/results/evaluation.h"
#include "storage/catalog/results/metric.h"
#include "storage/catalog/results/metric_reason.h"
#include "storage/catalog/results/scored.h"

namespace residue::query {
namespace {

using storage::Statement;

// `scored` tells when a record is to be scored again; of this tier all are, or none.
constexpr std::int64_t kScored = 1;

std::int64_t number(MetricId metric) { return static_cast<std::int64_t>(metric); }

constexpr std::string_view kFind = storage::sql::kEvaluationIdOfCorpus;

std::optional<EvaluationId> find(storage::Db& db, RunId run, EmbedderId embedder) {
  Statement statement = db.prepare(kFind);
  if (!statement.bind(run, embedder).step()) return std::nullopt;
  return statement.id<EvaluationId>(0);
}

std::vector<storage::PackedScore> unpacked_scores(std::string_view bytes) {
  std::vector<storage::PackedScore> scores;
  storage::ScoreReader reader(bytes);
  storage::PackedScore score;
  while (reader.next(score)) scores.push_back(score);
  return scores;
}

}  // namespace

CorpusStore::CorpusStore(storage::Db& db, RunId run, EmbedderId embedder) : db_(db), run_(run), embedder_(embedder) {}

std::set<MetricId> CorpusStore::metrics() const {
  std::set<MetricId> found;
  const auto id = find(db_, run_, embedder_);
  if (!id) return found;
  Statement rows = db_.prepare(storage::sql::kMetricIdsOfEvaluation);
  rows.bind(*id);
  while (rows.step()) found.insert(static_cast<MetricId>(rows.integer(0)));
  return found;
}

bool CorpusStore::current(const Contents& contents) const {
  return ScoreStore::current(db_, run_, Tier::kCorpus, ProtocolId{}, embedder_, contents);
}

void CorpusStore::forget(storage::Db& db, const std::set<MetricId>& metrics) {
  for (const char* sql : {storage::sql::kDeleteMetricOfCorpus, storage::sql::kDeleteMetricReasonOfCorpus}) {
    Statement erase = db.prepare(sql);
    for (const MetricId metric : metrics) erase.run(number(metric), run_);
  }
  struct Left {
    EvaluationId evaluation;
    RecordId record;
    std::string scores;
  };
  std::vector<Left> changed;
  Statement all = db.prepare(storage::sql::kScoredRecordsOfCorpus);
  all.bind(run_);
  while (all.step()) {
    std::vector<storage::PackedScore> scores = unpacked_scores(all.text(2));
    const auto gone = [&](const auto& score) { return metrics.contains(static_cast<MetricId>(score.metric)); };
    if (std::erase_if(scores, gone) == 0) continue;
    changed.push_back({all.id<EvaluationId>(0), all.id<RecordId>(1), storage::pack_scores(scores)});
  }
  Statement put = db.prepare(storage::sql::kUpdateScoredScores);
  for (const Left& left : changed) put.run(left.evaluation, left.record, Statement::Blob{left.scores});
}

void CorpusStore::put(storage::WriteBatch& batch, const DatasetView& dataset, const std::vector<Result>& results,
                      const Contents& contents) {
  storage::Db& db = batch.db();
  std::set<MetricId> replaced = current(contents) ? std::set<MetricId>() : metrics();
  for (const Result& result : results) replaced.insert(result.id);
  forget(db, replaced);
  if (!find(db, run_, embedder_)) {
    db.prepare(storage::sql::kInsertEvaluationOfCorpus).run(run_, embedder_, kDefinitions);
  }
  for (const Result& result : results) put_rows(db, result);
  put_scores(db, dataset, results);
  db.prepare(storage::sql::kUpdateEvaluationDefinitionsAndContents)
      .run(*find(db, run_, embedder_), kDefinitions, Statement::Blob{contents.run}, Statement::Blob{contents.dataset},
           Statement::Blob{contents.claims});
}

void CorpusStore::put_rows(storage::Db& db, const Result& result) {
  const EvaluationId id = *find(db, run_, embedder_);
  MetricWriter writer(db, id);
  for (const MetricRow& row : result.metric.rows) {
    writer.put(row);
    if (row.slice.all()) writer.remember(row);
  }
  if (!result.metric.reason.empty()) writer.explain(result.id, result.metric.reason);
}

void CorpusStore::put_scores(storage::Db& db, const DatasetView& dataset, const std::vector<Result>& results) {
  const EvaluationId id = *find(db, run_, embedder_);
  Statement kept = db.prepare(storage::sql::kScoredScoresOfRecord);
  Statement put = db.prepare(storage::sql::kInsertOrUpdateScoredKeepingInput);
  for (std::size_t i = 0; i < dataset.records.size(); ++i) {
    std::vector<storage::PackedScore> added;
    for (const Result& result : results) {
      if (i < result.metric.each.size()) added.push_back(packed(result.metric.each[i], 0));
    }
    if (added.empty()) continue;
    const RecordView& record = dataset.records[i];
    std::vector<storage::PackedScore> scores;
    if (kept.bind(id, record.id).step()) scores = unpacked_scores(kept.text(0));
    kept.reset();
    scores.insert(scores.end(), added.begin(), added.end());
    put.run(id, record.id, kScored, static_cast<std::int64_t>(record.unit),
            Statement::Blob{storage::pack_scores(scores)});
  }
}

}  // namespace residue::query
