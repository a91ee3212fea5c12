// `ingest run`: what a sanitizer made of a dataset.
#pragma once

#include <string_view>

#include "ingest/batches/progress.h"
#include "ingest/batches/result.h"
#include "ingest/batches/run_writer.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// Stores the variants of one file in a run of an existing dataset, making the run if needed.
// Aligned: a row belongs to the record with its key; one with an error, without text, or with a blank text (error
// 'empty', unless the run removes everything) is a failed variant; a blank text of a blank record is stored as the
// empty text and is no failure. A row of spans is the record's text with these replaced, by their own words or by tags,
// and keeps what stands for what as `sanitize` does. Bad rows: spans that do not fit the text, an original that is not
// the record's text but for white space, an unknown key, a key that the file has had before; with `append`, a key that
// exists with another text. If no key of the file is known, the error says so. Synthetic: key = id, else the line
// (behind the highest stored one with `append`). A text that looks like a failure (model/suspicion/suspected.h) has
// failed, with the error 'suspected: ...', unless the spec says that texts are meant. Notes say how many records have
// no variant, how many failed, how many of those were empty, and on which lines failures were suspected. Throws
// Error{usage} for the automatic controls' names and for a change of kind, else as ingest_claims.
IngestResult ingest_run(storage::Store& store, std::string_view dataset, std::string_view run, const RunSpec& spec,
                        RowSource<VariantRow>& source, const SourceIdentity& file, const IngestOptions& options = {});

}  // namespace residue::ingest
