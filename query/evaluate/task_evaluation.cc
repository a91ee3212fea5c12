#include "query/evaluate/task_evaluation.h"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/progress.h"
#include "model/replies/replacements.h"
#include "query/advantage/attribute_advantage.h"
#include "query/score/attribute_scores.h"
#include "query/score/qa_scores.h"
#include "query/score/response_scores.h"
#include "query/score/task_scores.h"
#include "query/stored/answered.h"
#include "query/stored/score_loop.h"
#include "query/stored/score_store.h"
#include "storage/catalog/results/score.h"
#include "storage/catalog/sources/label.h"
#include "text/measures/rouge.h"

namespace residue::query {
namespace {

bool current(storage::Db& db, const AnswerSetHead& set) {
  const auto contents = answer_contents(db, set);
  return !contents || ScoreStore::current(db, set.run, Tier::kTask, ProtocolId{}, set.id, *contents);
}

// The scores of one set, record by record.
class Scorer {
 public:
  Scorer(storage::Store& store, DatasetId dataset, const AnswerSetHead& set)
      : store_(store), task_(set.task), own_(load_answered(store, dataset, set)) {
    if (task_ == "attributes") load_truths(dataset);
    if (!compares_originals(task_)) return;
    const AnswerSetHead originals = originals_of(store.db(), dataset, set);
    originals_ = load_answered(store, dataset, originals).records;
    if (own_.synthetic) {
      // No text has an original: these stand beside the texts, for themselves.
      texts_ = own_.records.size();
      own_.records.insert(own_.records.end(), originals_.begin(), originals_.end());
      originals_.clear();
      return;
    }
    // Records that another process added in between are of the next evaluation.
    originals_.resize(own_.records.size());
    // Whether other questions were asked about the originals: then nobody has answered these.
    if (task_ != "qa" || originals.digest == set.digest) return;
    for (AnsweredRecord& record : originals_) {
      record.asked = false;
      record.answer.reset();
    }
  }

  [[nodiscard]] const Answered& answered() const { return own_; }

  [[nodiscard]] std::uint64_t input(std::size_t i) const {
    std::uint64_t own = own_.records[i].input();
    if (const auto found = truths_.find(own_.records[i].id); found != truths_.end()) {
      for (const TextId payload : found->second) own = mix(own ^ static_cast<std::uint64_t>(payload.value));
    }
    if (task_ == "qa") own = mix(own ^ static_cast<std::uint64_t>(own_.records[i].substitutions.value));
    return originals_.empty() ? own : mix(own) ^ originals_[i].input();
  }

  // Metrics that the records' scores do not add up to.
  [[nodiscard]] std::vector<MetricRow> whole(storage::Db& db, EvaluationId evaluation) const {
    if (task_ != "attributes") return {};
    std::vector<AttributeLabel> labels;
    std::set<std::string> attributes = {""};
    const auto reader = store_.facts().read();
    for (const AnsweredRecord& record : own_.records) {
      for (const AttributeTruth& truth : truths_of(record.id, *reader)) {
        if (!model::counts(truth)) continue;
        labels.push_back({record.id, record.unit, truth.attribute, truth.value});
        attributes.insert(truth.attribute);
      }
    }
    if (labels.empty()) return {};
    std::vector<GuessedPart> parts;
    storage::Statement rows = db.prepare(storage::sql::kScoresOfCutByRecord);
    for (const std::string& attribute : attributes) {
      GuessedPart& part = parts.emplace_back(GuessedPart{attribute});
      rows.bind(evaluation, static_cast<std::int64_t>(MetricId::kAttributeAccuracy), attribute);
      while (rows.step()) {
        const Contribution one{MetricId::kAttributeAccuracy,
                               Outcome::kNone,
                               static_cast<State>(rows.integer(2)),
                               rows.integer(3),
                               rows.integer(4),
                               rows.integer(5),
                               attribute};
        part.records.push_back({rows.id<RecordId>(0), {one, static_cast<std::uint64_t>(rows.integer(1))}});
      }
      rows.reset();
    }
    return attribute_advantage(labels, parts);
  }

  // May be called from several threads.
  std::vector<Contribution> scores(std::size_t i, const storage::Facts::Reader& texts) {
    const AnsweredRecord& record = own_.records[i];
    const TaskCase facts = record.facts(texts);
    if (task_ == "attributes") return attribute_scores(facts, truths_of(record.id, texts));
    if (task_ == "coherence") return coherence_scores(facts);
    if (task_ == "category" && own_.synthetic) return i < texts_ ? text_scores(facts) : original_scores(facts);
    if (task_ == "category") return conversation_scores(originals_[i].facts(texts), facts);
    if (task_ == "response") return response_scores(originals_[i].facts(texts), facts, tokenizers_.local());
    if (task_ == "qa") return qa_scores(originals_[i].facts(texts), facts, table_of(record, texts));
    if (task_ == "utility") return utility_scores(facts, overlap(record, texts));
    const bool asks = record.question.value != 0;
    return choice_scores(facts, asks ? right_key(texts.text(record.question)) : std::nullopt);
  }

 private:
  // What people know of the records' authors.
  void load_truths(DatasetId dataset) {
    storage::Statement rows = store_.db().prepare(storage::sql::kLabelAttributesInPayloadOrder);
    rows.bind(dataset);
    while (rows.step()) truths_[rows.id<RecordId>(0)].push_back(rows.id<TextId>(1));
  }

  [[nodiscard]] std::vector<AttributeTruth> truths_of(RecordId record, const storage::Facts::Reader& reader) const {
    std::vector<AttributeTruth> truths;
    const auto found = truths_.find(record);
    if (found == truths_.end()) return truths;
    for (const TextId payload : found->second) {
      if (auto truth = model::attribute_truth(reader.text(payload))) truths.push_back(*std::move(truth));
    }
    return truths;
  }

  static text::Substitutions table_of(const AnsweredRecord& record, const storage::Facts::Reader& reader) {
    return record.substitutions.value == 0 ? text::Substitutions()
                                           : model::substitutions_in(reader.text(record.substitutions));
  }

  // The F of ROUGE-1, original against the run's text, as tier text has it.
  std::optional<std::int64_t> overlap(const AnsweredRecord& record, const storage::Facts::Reader& reader) {
    text::RougeTokenizer& tokenizer = tokenizers_.local();
    tokenizer.clear_if_large();
    const auto original = tokenizer.tokens(reader.text(record.original));
    if (original.empty()) return std::nullopt;
    const auto variant = tokenizer.tokens(record.variant.value == 0 ? std::string() : reader.text(record.variant));
    return fixed(text::prf(text::rouge_n_overlap(original, variant, 1)).f);
  }

  storage::Store& store_;
  const std::string task_;
  Answered own_;
  std::size_t texts_ = 0;  // of a synthetic run: behind them are the originals
  std::vector<AnsweredRecord> originals_;
  std::unordered_map<RecordId, std::vector<TextId>> truths_;  // payloads of labels
  tbb::enumerable_thread_specific<text::RougeTokenizer> tokenizers_{[] { return text::RougeTokenizer(true); }};
};

void evaluate(storage::Store& store, DatasetId dataset, const AnswerSetHead& set, std::size_t keep_from,
              const ProgressFunction& checkpoint) {
  Scorer scorer(store, dataset, set);
  const Answered& all = scorer.answered();
  ScoreStore scores(store, set.run, Tier::kTask, ProtocolId{}, set.id, keep_from);
  RecordScoring records;
  records.count = all.records.size();
  records.at_once = 16;
  records.look = [&](std::size_t i) {
    return ScoreStore::Change{all.records[i].id, scorer.input(i), all.records[i].unit, {}};
  };
  records.contributions = [&](std::size_t i, const storage::Facts::Reader& texts) { return scorer.scores(i, texts); };
  score_changed(store, scores, records, checkpoint);
  scores.finish(all.contents, all.independent, all.records.size(),
                [&](storage::Db& db, EvaluationId evaluation) { return scorer.whole(db, evaluation); });
}

}  // namespace

bool tasks_current(storage::Db& db, DatasetId dataset, const RunHead& run) {
  const auto sets = answer_sets(db, dataset, run.id);
  return std::all_of(sets.begin(), sets.end(),
                     [&](const AnswerSetHead& set) { return !has_metrics(set.task) || current(db, set); });
}

void evaluate_tasks(storage::Store& store, DatasetId dataset, const RunHead& run, std::size_t keep_replicates_from,
                    const ProgressFunction& checkpoint) {
  for (const AnswerSetHead& set : answer_sets(store.db(), dataset, run.id)) {
    if (has_metrics(set.task) && !current(store.db(), set)) {
      evaluate(store, dataset, set, keep_replicates_from, checkpoint);
    }
  }
}

}  // namespace residue::query
