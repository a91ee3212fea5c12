// `embed`: vectors of what dense attackers compare, by a server.
#pragma once

#include <string>

#include "query/link/embedding.h"
#include "storage/store.h"
#include "verbs/bring_in/asking.h"

namespace residue::verbs {

struct EmbedOptions {
  query::EmbedPlan what;
  std::string with;  // a model's name
  AskingOptions asking;
};

struct EmbedResult {
  model::EmbedCounts counts;
  model::AskCounts asked;
  double seconds = 0;
};

// Throws as find_endpoint() and query::embed_for_attacks(): what was embedded until then stays.
EmbedResult embed(storage::Store& store, const EmbedOptions& options);

}  // namespace residue::verbs
