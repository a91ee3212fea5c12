// Which texts the catalog names: what garbage collection keeps and `check` demands.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "storage/catalog/sqlite.h"

namespace residue::storage {

// The facts ids in every column that names a text. Judgments of embedded judges do not count: they can be computed
// again.
std::unordered_set<std::int64_t> referenced_texts(Db& db);

// The same without texts that are kept only because a rating of them was paid for.
std::unordered_set<std::int64_t> named_texts(Db& db);

}  // namespace residue::storage
