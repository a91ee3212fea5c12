// Attempts of an intruder test that were made elsewhere: on a crowd platform, with a spreadsheet, in another store.
//
//   files ── ingest::AttemptRow ── bring_attempts ──> intruder_attempt; counts, rejected lines
#pragma once

#include <string>

#include "ingest/attempts/attempt_rows.h"
#include "storage/store.h"
#include "verbs/ingest.h"

namespace residue::verbs {

struct AttemptsOptions : IngestFiles {
  std::string dataset, run;
  std::string protocol;  // whose facts people were given; empty: the last evaluated
  ingest::SourceOptions source;
};

// A file is stored whole or not at all, but for lines that `skip_bad` lists. The same again changes nothing; another
// answer takes the place of the one before, unless its outcome was told, and what was not blind once never is. An
// attempt is taken to be about facts and texts as they are stored now. Holds the texts meanwhile. Throws as
// open_intruder, but for levels, and Error{bad input} naming file and line.
Ingested bring_attempts(storage::Store& store, const AttemptsOptions& options);

}  // namespace residue::verbs
