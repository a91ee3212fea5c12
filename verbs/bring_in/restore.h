// `restore`: responses to a run's texts, with the originals in the place of what the run put there.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ingest/ask/restore.h"
#include "ingest/rows/rows.h"
#include "storage/store.h"
#include "verbs/bring_in/asking.h"

namespace residue::verbs {

struct RestoreOptions {
  std::string dataset, run;
  ingest::VariantSourceOptions source;      // the responses
  std::string with;                         // a model restores; empty: code does
  std::optional<std::string> instructions;  // of the model, instead of ours
  AskingOptions asking;
  std::function<void(const ingest::RestoredRow& row)> row;  // each, in the order of the file
};

struct RestoreResult {
  ingest::RestoreCounts counts;
  std::optional<model::AskCounts> asked;  // nothing: code restores
};

// What restore() refuses whatever the store holds: instructions without a model. Throws Error{usage}.
void check(const RestoreOptions& options);

// Holds the texts meanwhile: nobody removes them. Without a model the store may be open for reading alone. Throws as
// check(), find_endpoint() and ingest::restore_rows().
RestoreResult restore(storage::Store& store, const RestoreOptions& options);

}  // namespace residue::verbs
