#include "query/evaluate/run_label_scores.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "query/score/label_scores.h"
#include "query/stored/record_input.h"
#include "query/stored/score_loop.h"
#include "storage/catalog/results/evaluation.h"

namespace residue::query {
namespace {

std::vector<Contribution> scores_of(const DatasetView& dataset, const RunView& run,
                                    const std::vector<LabelView>& labels, std::size_t i,
                                    const storage::Facts::Reader& texts) {
  const RecordCase facts = own_case(dataset, run, i);
  RecordLabels record_labels;
  std::string original, sanitized;
  std::vector<ReplacedSpan> replaced;
  if (!labels.empty() && facts.aligned && !facts.empty_original) {
    original = texts.text(dataset.records[i].text);
    const TextId own = run.variants[i].text;
    if (own.value != 0 && !facts.failed) sanitized = texts.text(own);
    if (const TextId spans = run.variants[i].spans; spans.value != 0) replaced = replaced_spans(texts.text(spans));
    for (const LabelView& label : labels) add_label(label.kind, texts.text(label.payload), original, record_labels);
  }
  return label_scores(facts, record_labels, original, sanitized, replaced);
}

void score(storage::Store& store, const DatasetView& dataset, const RunView& run, const Labels& labels,
           ScoreStore& scores, const ProgressFunction& checkpoint) {
  RecordScoring records;
  records.at_once = 16;
  records.count = dataset.records.size();
  records.look = [&](std::size_t i) {
    const RecordView& record = dataset.records[i];
    const RecordCase facts = own_case(dataset, run, i);
    const TextId own = facts.aligned ? run.variants[i].text : TextId{};
    InputHash hash;
    hash << static_cast<std::int64_t>(facts_hash(record, facts, own)) << record.text.value;
    if (facts.aligned) hash << run.variants[i].spans.value;
    for (const LabelView& label : labels.by_record[i]) hash << label.payload.value;
    return ScoreStore::Change{record.id, hash.value(), record.unit, {}};
  };
  records.contributions = [&](std::size_t i, const storage::Facts::Reader& texts) {
    return scores_of(dataset, run, labels.by_record[i], i, texts);
  };
  score_changed(store, scores, records, checkpoint);
}

}  // namespace

bool labels_current(storage::Db& db, const RunHead& run, const std::string& dataset, const std::string& labels) {
  if (labels.empty()) {  // What was computed of labels that are gone is not current.
    storage::Statement left = db.prepare(storage::sql::kEvaluationExistsOfRunTier);
    return !left.bind(run.id, tier_name(Tier::kLabel)).step();
  }
  return ScoreStore::current(db, run.id, Tier::kLabel, ProtocolId{}, JudgeId{}, {run.content, dataset, labels});
}

void evaluate_marks(storage::Store& store, const DatasetView& dataset, const RunView& run,
                    std::size_t keep_replicates_from, const ProgressFunction& checkpoint) {
  const Labels labels = load_labels(store.db(), dataset);
  if (labels.content.empty()) {
    const auto batch = store.write();
    batch->db().prepare(storage::sql::kDeleteEvaluationsOfRunTier).run(run.id, tier_name(Tier::kLabel));
    batch->commit();
    return;
  }
  ScoreStore scores(store, run.id, Tier::kLabel, ProtocolId{}, JudgeId{}, keep_replicates_from);
  score(store, dataset, run, labels, scores, checkpoint);
  scores.finish({run.content, dataset.content, labels.content}, dataset.independent, dataset.records.size());
}

}  // namespace residue::query
