// Saved views that name what goes: a purge takes them, too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/catalog/sqlite.h"

namespace residue::storage {

// Within a transaction for writing: removes the views in whose words this name of a dataset or run stands whole.
// Returns their names.
std::vector<std::string> drop_views_naming(Db& db, std::string_view name);

}  // namespace residue::storage
