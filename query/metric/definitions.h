// The table of metric definitions, for SQL.
#pragma once

#include "storage/store.h"

namespace residue::query {

// Writes it when it is not this program's.
void publish_definitions(storage::Store& store);

}  // namespace residue::query
