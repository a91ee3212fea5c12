// `ask`: what a model answers to a task about each of a run's texts, as rows of `task_answer`.
//
//   texts of a run ─> TaskAsker ─> task_answer {run, record, model, task, answer}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/batches/ask_plan.h"
#include "ingest/batches/result.h"
#include "model/tasks/task_asker.h"
#include "storage/store.h"

namespace residue::ingest {

// Asks about each record of the run that can be asked about (question_pages.h), and stores the answers under the name
// `as`. Answers that `as` gave for this run and task with other settings, or that an older parser read, go first: of
// one name all were asked in the same way. A record whose answers could not be used has an answer without words; a note
// says how many and why. A response (TaskKind::kRespond) is kept as it came and, where its text has replacements,
// restored (restoring.h), by `restorer` where there is one. Counts are records, bad ones those. Throws as QuestionPages
// and model::ask(), what was answered until then is kept; Error{usage} where answers of `as` came from a file, and for
// tasks that are no facts about records.
IngestResult ask_run(storage::Store& store, std::string_view dataset, std::string_view run, model::TaskAsker& asker,
                     const std::string& as, const IngestOptions& options = {}, model::TaskAsker* restorer = nullptr);

// Adds what asking would send: nothing is sent, nothing changes.
void plan_run(storage::Store& store, std::string_view dataset, std::string_view run, const model::TaskAsker& asker,
              AskPlan& plan);

// The runs that a task is asked about where only the dataset is named: the originals and all runs aligned to them,
// synthetic runs where it asks about a text alone, in the order of their names; not the originals where the task
// compares a text with its original.
std::vector<std::string> runs_to_ask(storage::Store& store, std::string_view dataset, model::TaskKind kind);

}  // namespace residue::ingest
