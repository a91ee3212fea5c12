// Texts that tau-eval (https://github.com/gabrielloiseau/tau-eval) saved: a column as a run.
//
// Its results.json has figures alone. The texts are in the folder TASK.hf, a data set of the library datasets, with the
// column "original" and one for each model (tau_eval/utils.py, export_generated_texts). That library writes it as JSON
// Lines, JSON or CSV.
#pragma once

#include <memory>

#include "ingest/read/row_reader.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

// Rows {"id", "text", "original"}. --text names the column; without it there must be one beside the original. The id is
// the 0-based index of the row, as of `ingest dataset --preset tau-eval`, or what --id names. The original is held
// against the record's text. A note says how many texts are their originals: tau-eval keeps the original where a model
// failed. Throws Error{usage} for several columns without --text, Error{bad input} for figures without texts.
std::unique_ptr<RowReader> open_tau_eval_run(const VariantSourceOptions& options);

}  // namespace residue::ingest
