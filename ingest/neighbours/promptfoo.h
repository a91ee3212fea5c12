// Results of promptfoo (https://promptfoo.dev): outputs as texts of a run, or as answers.
//
// Versions 1 to 3 of the file that `promptfoo eval -o FILE.json` and `promptfoo export` write, the summary in it alone
// (what its function evaluate() answers), and its JSON Lines: promptfoo, src/types/index.ts (OutputFile,
// EvaluateSummaryV3, EvaluateResult).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ingest/neighbours/items.h"
#include "ingest/read/row_reader.h"
#include "ingest/read/value.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

// What a result came to. An assertion that failed (failureReason 1) says nothing of the text, although promptfoo writes
// its reason as "error". There is none where the provider failed (failureReason 2, an error of the response, none at
// all), refused, was cut off or filtered, or answered with calls of tools. Throws Refusal for an output that is another
// object, list or number, and for one that lies elsewhere (promptfoo://blob/...). `path`: where the text is, if not in
// response.output.
ItemOutput promptfoo_output(const Value& result, const std::optional<std::string>& path);

// Rows {"id", "text"} or {"id", "error"}. The id is a variable called as ids are, or what --id names: a path in a
// result. Throws as NeighbourRows, at the end, where the results are of several providers (provider.id), columns
// (promptIdx, in older files prompt.label) or times of one record (repeat, counted in the order of the file).
std::unique_ptr<RowReader> open_promptfoo_run(const VariantSourceOptions& options);

// Rows {"model", "record", "run", "answer"}; the model is the provider. --map: record, run, answer. Of the task choice
// --map has to name the answer: the first letter of an output may be that of any word.
std::unique_ptr<RowReader> open_promptfoo_answers(const AnswerSourceOptions& options);

}  // namespace residue::ingest
