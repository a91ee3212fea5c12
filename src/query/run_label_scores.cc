#include "query/run_label_scores.h"

#include <oneapi/tbb/blocked_range.h>

#include "base/parallel_ranges.h"
#include "query/label_scores.h"
#include "query/record_input.h"

namespace residue::query {
namespace {

constexpr std::size_t kRecordsAtOnce = 4'096;

void score(storage::Store& store, const DatasetView& dataset, const RunView& run, const Labels& labels,
           ScoreStore& scores, const Checkpoint& checkpoint) {
  const std::size_t total = dataset.records.size();
  for (std::size_t begin = 0; begin < total; begin += kRecordsAtOnce) {
    const std::size_t end = std::min(begin + kRecordsAtOnce, total);
    std::vector<ScoreStore::Change> changes;
    std::vector<std::size_t> stale;
    for (std::size_t i = begin; i < end; ++i) {
      const RecordView& record = dataset.records[i];
      const RecordCase facts = own_case(dataset, run, i);
      const TextId own = facts.aligned ? run.variants[i].text : TextId{};
      InputHash hash;
      hash << static_cast<std::int64_t>(facts_hash(record, facts, own)) << record.text.value;
      for (const LabelView& label : labels.by_record[i]) hash << label.payload.value;
      if (!scores.stale(record.id, hash.value())) continue;
      stale.push_back(i);
      changes.push_back({record.id, hash.value(), record.unit, {}});
    }
    parallel_ranges(stale.size(), 16, [&](const auto& range) {
      const auto reader = store.facts().read();
      for (std::size_t j = range.begin(); j < range.end(); ++j) {
        const std::size_t i = stale[j];
        const RecordCase facts = own_case(dataset, run, i);
        RecordLabels record_labels;
        std::string original, sanitized;
        if (!labels.by_record[i].empty() && facts.aligned && !facts.empty_original) {
          original = reader->text(dataset.records[i].text);
          const TextId own = run.variants[i].text;
          if (own.value != 0 && !facts.failed) sanitized = reader->text(own);
          for (const LabelView& label : labels.by_record[i]) {
            add_label(label.kind, reader->text(label.payload), original, record_labels);
          }
        }
        changes[j].contributions = label_scores(facts, record_labels, original, sanitized);
      }
    });
    if (!changes.empty()) {
      const auto batch = store.write();
      scores.apply(*batch, changes);
      batch->commit();
    }
    checkpoint(end, total);
  }
}

}  // namespace

bool labels_current(storage::Db& db, const RunHead& run, const std::string& dataset, const std::string& labels) {
  return labels.empty() ||
         ScoreStore::current(db, run.id, Tier::kLabel, ProtocolId{}, JudgeId{}, {run.content, dataset, labels});
}

void evaluate_marks(storage::Store& store, const DatasetView& dataset, const RunView& run,
                    std::size_t keep_replicates_from, const Checkpoint& checkpoint) {
  const Labels labels = load_labels(store.db(), dataset);
  ScoreStore scores(store, run.id, Tier::kLabel, ProtocolId{}, JudgeId{}, keep_replicates_from);
  score(store, dataset, run, labels, scores, checkpoint);
  const auto batch = store.write();
  scores.finish(*batch, {run.content, dataset.content, labels.content}, dataset.independent, dataset.records.size());
  batch->commit();
}

}  // namespace residue::query
