// Logs of inspect_ai (https://inspect.aisi.org.uk): samples as texts of a run, as judgments, as answers.
//
// Formats .json and .eval, versions 1 and 2: inspect_ai, src/inspect_ai/log/_log.py (EvalLog).
#pragma once

#include <memory>

#include "ingest/read/row_reader.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

// Each reads one sample at a time; events and messages are passed over. Lines are those of the file, of an .eval file
// numbers of samples, which come in the order of the archive. --only names paths in a sample. Throws Error{usage} for
// flags that name nothing, and as NeighbourRows, at the end, for several epochs (not of judgments).

// Rows {"id", "text"} or {"id", "error"}: inspect_output.h. --id, --text: paths in a sample.
std::unique_ptr<RowReader> open_inspect_run(const VariantSourceOptions& options);

// Rows {"judge", "claim", "passage" or "run", "sample", "rating"}. The rating is a score of 1, 2, 3, or C, P, I
// (correct, partial, incorrect), the sample is the epoch. A sample without a score is no judgment, and is counted.
// --map: judge, claim, passage, run, rating; by default metadata.claim, metadata.passage, metadata.run.
std::unique_ptr<RowReader> open_inspect_judgments(const JudgmentSourceOptions& options);

// Rows {"model", "task", "record", "run", "answer"}. The answer to the task choice is that of a score, else the output;
// a sample without an output has none. --map: record, run, answer; by default id.
std::unique_ptr<RowReader> open_inspect_answers(const AnswerSourceOptions& options);

}  // namespace residue::ingest
