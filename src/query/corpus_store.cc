#include "query/corpus_store.h"

#include "query/stored_scores.h"

namespace residue::query {
namespace {

using storage::Statement;

// `scored` tells when a record is to be scored again; of this tier all are, or none.
constexpr std::int64_t kScored = 1;

std::int64_t number(MetricId metric) { return static_cast<std::int64_t>(metric); }

constexpr std::string_view kFind =
    "SELECT id FROM evaluation WHERE run_id = ?1 AND tier = 'corpus' AND protocol_id = 0 AND judge_id = ?2";

std::optional<EvaluationId> find(storage::Db& db, RunId run, EmbedderId embedder) {
  Statement statement = db.prepare(kFind);
  if (!statement.bind(run, embedder).step()) return std::nullopt;
  return statement.id<EvaluationId>(0);
}

std::vector<storage::PackedScore> scores_of(storage::Db& db, EvaluationId evaluation, RecordId record) {
  Statement find = db.prepare("SELECT scores FROM scored WHERE evaluation_id = ?1 AND record_id = ?2");
  std::vector<storage::PackedScore> scores;
  if (!find.bind(evaluation, record).step()) return scores;
  storage::ScoreReader reader(find.text(0));
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
  Statement rows = db_.prepare("SELECT DISTINCT metric FROM metric WHERE evaluation_id = ?1");
  rows.bind(*id);
  while (rows.step()) found.insert(static_cast<MetricId>(rows.integer(0)));
  return found;
}

bool CorpusStore::current(const Contents& contents) const {
  return ScoreStore::current(db_, run_, Tier::kCorpus, ProtocolId{}, JudgeId{embedder_.value}, contents);
}

void CorpusStore::forget(storage::Db& db, MetricId metric) {
  for (const char* sql :
       {"DELETE FROM metric WHERE metric = ?1 AND evaluation_id IN (SELECT id FROM evaluation WHERE run_id = ?2 AND "
        "tier = 'corpus')",
        "DELETE FROM metric_reason WHERE metric = ?1 AND evaluation_id IN (SELECT id FROM evaluation WHERE run_id = ?2 "
        "AND tier = 'corpus')"}) {
    db.prepare(sql).run(number(metric), run_);
  }
  std::vector<std::pair<EvaluationId, RecordId>> with;
  Statement find = db.prepare(
      "SELECT e.id, s.record_id FROM evaluation e JOIN score s ON s.evaluation_id = e.id WHERE e.run_id = ?1 AND "
      "e.tier = 'corpus' AND s.metric = ?2");
  find.bind(run_, number(metric));
  while (find.step()) with.emplace_back(find.id<EvaluationId>(0), find.id<RecordId>(1));
  Statement put = db.prepare("UPDATE scored SET scores = ?3 WHERE evaluation_id = ?1 AND record_id = ?2");
  for (const auto& [evaluation, record] : with) {
    std::vector<storage::PackedScore> scores = scores_of(db, evaluation, record);
    std::erase_if(scores, [&](const storage::PackedScore& score) { return score.metric == number(metric); });
    put.run(evaluation, record, Statement::Blob{storage::pack_scores(scores)});
  }
}

void CorpusStore::put(storage::WriteBatch& batch, const DatasetView& dataset, const std::vector<Result>& results,
                      const Contents& contents) {
  storage::Db& db = batch.db();
  if (!current(contents)) {
    for (const MetricId metric : metrics()) forget(db, metric);
  }
  if (!find(db, run_, embedder_)) {
    db.prepare(
          "INSERT INTO evaluation (run_id, tier, protocol_id, judge_id, definitions, run_content, dataset_content, "
          "claims_content) VALUES (?1, 'corpus', 0, ?2, ?3, x'', x'', x'')")
        .run(run_, embedder_, kDefinitions);
  }
  for (const Result& result : results) {
    forget(db, result.id);
    put_rows(db, result);
    put_scores(db, dataset, result);
  }
  db.prepare(
        "UPDATE evaluation SET definitions = ?2, run_content = ?3, dataset_content = ?4, claims_content = ?5 "
        "WHERE id = ?1")
      .run(*find(db, run_, embedder_), kDefinitions, Statement::Blob{contents.run}, Statement::Blob{contents.dataset},
           Statement::Blob{contents.claims});
}

void CorpusStore::put_rows(storage::Db& db, const Result& result) {
  const EvaluationId id = *find(db, run_, embedder_);
  MetricWriter writer(db, id);
  for (const MetricRow& row : result.metric.rows) {
    writer.put(row);
    if (row.slice.empty()) writer.remember(row);
  }
  if (!result.metric.reason.empty()) writer.explain(result.id, result.metric.reason);
}

void CorpusStore::put_scores(storage::Db& db, const DatasetView& dataset, const Result& result) {
  const EvaluationId id = *find(db, run_, embedder_);
  Statement put = db.prepare(
      "INSERT INTO scored (evaluation_id, record_id, input, unit, scores) VALUES (?1, ?2, ?3, ?4, ?5) "
      "ON CONFLICT DO UPDATE SET unit = excluded.unit, scores = excluded.scores");
  for (std::size_t i = 0; i < result.metric.each.size(); ++i) {
    const RecordView& record = dataset.records[i];
    std::vector<storage::PackedScore> scores = scores_of(db, id, record.id);
    scores.push_back(packed(result.metric.each[i], 0));
    put.run(id, record.id, kScored, static_cast<std::int64_t>(record.unit),
            Statement::Blob{storage::pack_scores(scores)});
  }
}

}  // namespace residue::query
