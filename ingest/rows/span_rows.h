// Rows of `ingest run --spans`: what to replace in the originals, where other sanitizers write whole texts.
#pragma once

#include <memory>

#include "ingest/rows/rows.h"

namespace residue::ingest {

// Rows {"id", "spans", "unit", "error"} in JSON Lines, a JSON array or CSV, or one object {id: spans} or {id: {"spans",
// "unit", "error"}} that is the whole file, as TAB and TAE write it: told by the first object, whose first value is
// then no string, number or truth value, nor any whose name is an id's (fields.h), and by no field being named. Members
// are read one at a time, whatever the size of the object; finding out that it is one takes at most 16 MiB. Null spans
// are a failed variant. Shapes are checked here, offsets against the texts where the rows are stored (run.h).
// Throws Error{usage} beside --preset, --text and --synthetic, else as open_variants.
std::unique_ptr<RowSource<VariantRow>> open_span_rows(const VariantSourceOptions& options);

// Rows that a reader makes, of the same form.
std::unique_ptr<RowSource<VariantRow>> open_span_rows(const VariantSourceOptions& options,
                                                      std::unique_ptr<RowReader> reader);

}  // namespace residue::ingest
