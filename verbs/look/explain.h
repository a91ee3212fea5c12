// `explain`: why the attack on one record ended as it did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "query/explain/explain.h"
#include "storage/store.h"

namespace residue::verbs {

struct ExplainOptions {
  std::string dataset, run;
  std::string record;                // its key, or DATASET/KEY
  std::string protocol;              // attacker; empty: the last evaluated, with `combine` the usual one
  std::vector<std::string> combine;  // releases that the attacker has, this run one of them
  std::uint32_t seeds = 1;           // of random policies: under so many
};

// One for each seed. The attack is computed on the run as it is now; an index that is missing is built. Holds the texts
// meanwhile. Throws Error{not found} with the nearest names, and as query::explain_link.
std::vector<query::LinkExplanation> explain(storage::Store& store, const ExplainOptions& options);

}  // namespace residue::verbs
