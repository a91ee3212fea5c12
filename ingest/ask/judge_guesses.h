// `ask --task same_entity`: what a judge says of guesses about authors that no rule finds right (AA B.2, prompt E.4).
//
//   answers of NAME to attributes, labels ── open_guesses ──> (truth, guess), each once ── TaskAsker ──>
//   answers of "NAME judged by JUDGE" to attributes: the same guesses, with what the judge said
//
// The guesses of NAME stay as they are, so both readings can be seen: the rules alone, and the rules and the judge.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/ask/ask.h"
#include "ingest/batches/result.h"
#include "model/tasks/task_asker.h"
#include "storage/store.h"

namespace residue::ingest {

// "gpt-4 judged by local".
std::string judged_name(std::string_view of, std::string_view judge);

// The runs of the dataset, or the one named, that `of` answered the task attributes about, by name. Throws Error{not
// found} where there is none, Error{usage} where these are guesses that were judged already.
std::vector<std::string> runs_to_judge(storage::Store& store, std::string_view dataset,
                                       const std::optional<std::string>& run, std::string_view of);

// Asks about each truth of a label that counts and each guess of `of` that model::open_guesses() names, equal pairs
// once, and stores the guesses with the verdicts as answers of judged_name(). A pair without a usable verdict is kept
// as unknown: its label is missing, which counts as guessed. Repeated after guesses or labels changed, it asks about
// what is new. Counts are records, bad ones those with an unknown verdict. Throws as ask_run().
IngestResult judge_guesses(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view of,
                           model::TaskAsker& asker, const IngestOptions& options = {});

// What that would send; counts are pairs.
void plan_guesses(storage::Store& store, std::string_view dataset, std::string_view run, std::string_view of,
                  const model::TaskAsker& asker, AskPlan& plan);

}  // namespace residue::ingest
