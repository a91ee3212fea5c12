// `ingest run`: what a sanitizer made of a dataset.
#pragma once

#include <map>
#include <string_view>

#include "ingest/progress.h"
#include "ingest/result.h"
#include "ingest/rows.h"
#include "storage/store.h"

namespace residue::ingest {

// What is known about a run besides its texts. Nothing: as it is stored, or the default for a new run.
struct RunSpec {
  bool synthetic = false;  // a run never changes its kind
  std::optional<std::string> sanitizer;
  std::optional<std::string> params;  // canonical JSON object
  std::optional<std::int64_t> seed;
  std::optional<std::string> group;
  std::optional<bool> removes_everything;  // an empty text is a success
};

// --param k=v ... as the canonical JSON object of strings.
std::string params_json(const std::map<std::string, std::string>& params);

// Stores the variants of one file in a run of an existing dataset, making the run if needed.
// Aligned: a row belongs to the record with its key; one with an error, without text, or with a blank text (error
// 'empty', unless the run removes everything) is a failed variant; a blank text of a blank record is stored as the
// empty text and is no failure. A row of spans is the record's text with these replaced, by their own words or by tags,
// and keeps what stands for what as `sanitize` does. Bad rows: spans that do not fit the text, an unknown key, a key
// that the file has had before; with `append`, a key that exists with another text. If no key of the file is known, the
// error says so. Synthetic: key = id, else the line (behind the highest stored one with `append`). Notes say how many
// records have no variant, how many failed and how many of those were empty. Throws Error{usage} for the automatic
// controls' names and for a change of kind, else as ingest_claims.
IngestResult ingest_run(storage::Store& store, std::string_view dataset, std::string_view run, const RunSpec& spec,
                        RowSource<VariantRow>& source, const SourceIdentity& file, const IngestOptions& options = {});

// The notes on an aligned run as it is stored.
std::vector<std::string> run_notes(storage::Db& db, std::string_view dataset, std::string_view run);

}  // namespace residue::ingest
