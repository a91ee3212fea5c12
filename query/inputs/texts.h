// Reading many texts out of facts/ at once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "storage/store.h"

namespace residue::query {

// The texts of `ids`, in their order; id 0 reads as the empty text. Parallel. The caller holds Store::hold_texts().
// Throws Error{corrupt} naming the id that cannot be read.
std::vector<std::string> load_texts(const storage::Store& store, std::span<const TextId> ids);

}  // namespace residue::query
