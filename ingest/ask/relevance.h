// Whether the answer to a request depends on the entities in it, judged by a model (LOP appendix A): labels of the kind
// entity, as people give them.
//
//   words of marked spans | what a run replaced ── TaskAsker(kRelevance) ──> label {record, entity, type, relevant}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingest/batches/ask_plan.h"
#include "ingest/batches/result.h"
#include "model/tasks/task_asker.h"
#include "storage/store.h"

namespace residue::ingest {

// Entities are the words of the dataset's labels of the kind span, each once a record; with `run` the originals that it
// replaced. Those that are no whole words of the record's text (any more) are left out. The annotator is "model
// AS, relevance/SPEC.PARSER"; labels that it gave with other settings, or to words that are none any more, go. Counts
// are records with entities; a bad one lacks a label. Throws Error{usage} where no entity is known at all, and as
// TaskAsker::ask() and RecordPages.
IngestResult judge_relevance(storage::Store& store, std::string_view dataset, const std::optional<std::string>& run,
                             model::TaskAsker& asker, const std::string& as, const IngestOptions& options = {});

// Adds what that would send.
void plan_relevance(storage::Store& store, std::string_view dataset, const std::optional<std::string>& run,
                    const model::TaskAsker& asker, AskPlan& plan);

}  // namespace residue::ingest
