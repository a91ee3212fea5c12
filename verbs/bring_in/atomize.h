// `atomize`: claims out of the texts of a dataset or of a run.
#pragma once

#include <optional>
#include <string>

#include "ingest/atomize/atomize.h"
#include "model/tasks/text_task.h"
#include "storage/catalog/lookup.h"
#include "verbs/bring_in/asking.h"

namespace residue::verbs {

struct AtomizeOptions {
  storage::Target target;  // a dataset's records, or a run's texts
  std::string with{ingest::kSentenceSet};
  std::string set;                   // empty: named as its maker, which is `with`
  model::TextTemplate instructions;  // of a model, instead of ours
  unsigned jobs = 1;                 // of the embedded atomizer; changes no claim
  AskingOptions asking;
};

// What atomize() refuses whatever the store holds: a budget or instructions for the embedded atomizer. Throws
// Error{usage}.
void check(const AtomizeOptions& options);

// The set that atomize() makes.
std::string claim_set_of(const AtomizeOptions& options);

// Throws as check(), find_endpoint(), ingest::atomize_dataset(), ingest::atomize_run() and model::ask(): what was
// answered until then is kept.
Asked atomize(storage::Store& store, const AtomizeOptions& options);

}  // namespace residue::verbs
