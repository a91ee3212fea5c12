// Vectors of claims in random histories, and what is compared by them. A text's vector follows from its words and an
// epoch; some texts never have one.
#pragma once

#include <cstdint>
#include <string>

#include "storage/store.h"
#include "tests/query/history/history_model.h"

namespace residue::query::testing {

// Gives the claims of the dataset and of its runs the vectors of this epoch.
void embed_claims(storage::Store& store, const std::string& name, std::uint64_t epoch);

// embedding_distance of all the dataset's runs under this attack, which was evaluated before.
void compare_claims(storage::Store& store, const std::string& name, const Asked& asked);

}  // namespace residue::query::testing
