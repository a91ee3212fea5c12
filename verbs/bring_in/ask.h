// `ask`: what a model answers to a task about each text of runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/tasks/task.h"
#include "storage/catalog/lookup.h"
#include "verbs/bring_in/asking.h"
#include "verbs/bring_in/planned.h"

namespace residue::verbs {

// A task by the words that people use: "qa"; "coherence" of texts that are "medical" or "chat". Throws Error{usage}
// where there is none, where `texts` is missing, and where it means nothing.
model::TaskKind task_of_words(std::string_view task, std::string_view texts = {});

struct AskOptions {
  storage::Target target;    // without a run: all runs that the task can be asked about
  model::TaskSetting task;   // of task_of_words(); its items are model::default_items() or the user's
  std::string with;          // a model's name
  std::string as;            // the name that the answers are kept under; empty: the model's
  std::string of;            // kSameEntity: whose guesses are judged
  std::string restore_with;  // kRespond: a model that puts the originals back; empty: code does
  bool dry_run = false;      // says what would be sent instead
  AskingOptions asking;
};

struct AskResult : Asked {
  std::optional<PlannedAsking> planned;  // of a dry run, and nothing else then
};

// What ask() refuses whatever the store holds: what means nothing to the task, or is missing for it. Throws
// Error{usage}.
void check(const AskOptions& options);

// Counts are of records. Throws as check(), find_endpoint(), ingest::ask_run(), judge_guesses() and judge_relevance():
// what was answered until then is kept. Error{not found} where there is no run to ask about.
AskResult ask(storage::Store& store, const AskOptions& options);

}  // namespace residue::verbs
