// Statements on the table store_info (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kInsertStoreInfo[] = "INSERT INTO store_info VALUES (?1, ?2)";

// the first read of a transaction: takes its snapshot
inline constexpr char kStoreInfoExists[] = "SELECT 1 FROM store_info LIMIT 1";

inline constexpr char kStoreInfoUuid[] = "SELECT value FROM store_info WHERE key = 'uuid'";

}  // namespace residue::storage::sql
