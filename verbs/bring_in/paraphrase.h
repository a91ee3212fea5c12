// `paraphrase`: the claims of a set in other words, by a model.
#pragma once

#include <string>

#include "model/tasks/text_task.h"
#include "storage/store.h"
#include "verbs/bring_in/asking.h"

namespace residue::verbs {

struct ParaphraseOptions {
  std::string dataset;
  std::string set, into;             // from the one into the other
  std::string with;                  // a model's name
  model::TextTemplate instructions;  // instead of ours
  AskingOptions asking;
};

// Throws as find_endpoint() and ingest::paraphrase_claims().
Asked paraphrase(storage::Store& store, const ParaphraseOptions& options);

}  // namespace residue::verbs
