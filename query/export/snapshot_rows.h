// What a snapshot holds, as one statement: a statement sees one moment of the store.
#pragma once

#include <cstdint>
#include <string>

#include "query/export/export_table.h"

namespace residue::query {

// The first column of each row: the table's place in export_tables(), or one of these. The table's values follow.
inline constexpr std::int64_t kSnapshotText = 100;   // id, text
inline constexpr std::int64_t kSnapshotStore = 101;  // key, value of store_info

std::string snapshot_statement(ReadLevel level, bool texts);

}  // namespace residue::query
