// What presidio-evaluator (microsoft/presidio-research) found: spans of samples as a run in which they are masked.
//
// Two shapes: samples as InputSample.to_json writes them (the spans of a file of predictions), and the table of tokens
// that Evaluator.get_results_dataframe makes (CSV or JSON Lines): presidio_evaluator/data_objects.py,
// evaluation/base_evaluator.py.
#pragma once

#include <memory>

#include "ingest/read/row_reader.h"
#include "ingest/rows/rows.h"

namespace residue::ingest {

// Rows {"id", "spans", "original"}. The id is the 0-based index of the sample (sentence_id), as of `ingest dataset
// --preset presidio`, or what --id names. Tokens in a row with one prediction are one span; so are those with the
// prefixes of BIO and BILUO. The original, of a table of tokens without white space, is held against the record's text.
// Told apart by the first row; Error{bad input} for a file that is neither.
std::unique_ptr<RowReader> open_presidio_run(const VariantSourceOptions& options);

}  // namespace residue::ingest
