// Task utility: multiple-choice questions answered from a run's texts by models elsewhere
// (FSP 3.1.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/metric/aggregate.h"
#include "query/score/task_scores.h"
#include "storage/store.h"

namespace residue::query {

struct TaskAccuracy {
  std::string model, run;
  std::int64_t right = 0;
  // Share of right answers of all records with a task: failed and missing records count as wrong in `value`. if_leaked:
  // all of these were wrong; if_private: all were right. drop_*: of those with an answer.
  MetricRow row;
};

// Of every run and model with answers, by run, then model. A record is failed where the model gave no answer, or where
// the run has no text of it, missing where nobody answered, not applicable without a task or with an empty original.
// Throws Error{not found} for the dataset. The caller holds Store::hold_texts().
std::vector<TaskAccuracy> load_task_accuracy(storage::Store& store, const std::string& dataset);

}  // namespace residue::query
