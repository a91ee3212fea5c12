#include "query/study/task_accuracy.h"

#include "query/inputs/texts.h"
#include "query/stored/answered.h"
#include "storage/catalog/lookup.h"

namespace residue::query {
namespace {

TaskAccuracy accuracy_of(storage::Store& store, const AnswerSetHead& set, const Answered& all) {
  TaskAccuracy result;
  result.model = set.model;
  result.run = set.run_name;
  std::vector<TextId> questions;
  for (const AnsweredRecord& record : all.records) questions.push_back(record.question);
  const std::vector<std::string> tasks = load_texts(store, questions);
  Aggregate aggregate(definition(MetricId::kTaskAccuracy));
  const auto reader = store.facts().read();
  Clusters clusters;
  numbers::Weights weights;
  for (std::size_t i = 0; i < all.records.size(); ++i) {
    const AnsweredRecord& record = all.records[i];
    const bool asks = record.question.value != 0;
    numbers::draw_weights(record.unit, weights);
    for (const Contribution& c : choice_scores(record.facts(*reader), asks ? right_key(tasks[i]) : std::nullopt)) {
      aggregate.add(c, weights);
      clusters.add(c, record.unit);
      if (c.state == State::kValue) result.right += c.num;
    }
  }
  result.row = aggregate.finish(all.independent, [&]() -> const Clusters& { return clusters; }).front();
  return result;
}

}  // namespace

std::vector<TaskAccuracy> load_task_accuracy(storage::Store& store, const std::string& dataset) {
  const storage::ReadTransaction snapshot(store.db());
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  std::vector<TaskAccuracy> all;
  for (const AnswerSetHead& set : answer_sets(store.db(), id)) {
    if (set.task == "choice") all.push_back(accuracy_of(store, set, load_answered(store, id, set)));
  }
  return all;
}

}  // namespace residue::query
