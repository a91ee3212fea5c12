// Which texts the catalog names: what garbage collection keeps and `check` demands.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "storage/catalog/sqlite.h"

namespace residue::storage {

// The facts ids in every column that names a text. Judgments of embedded judges do not count: they can be computed
// again.
std::unordered_set<std::int64_t> referenced_texts(Db& db);

}  // namespace residue::storage
