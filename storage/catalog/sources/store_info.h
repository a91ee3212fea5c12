// Statements on the table store_info (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kInsertStoreInfo[] = "INSERT INTO store_info VALUES (?1, ?2)";

// the first read of a transaction: takes its snapshot
inline constexpr char kStoreInfoExists[] = "SELECT 1 FROM store_info LIMIT 1";

inline constexpr char kSetStoreInfo[] =
    "INSERT INTO store_info VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

// how many commits there were, and which of facts/ stood at the last one; none: 1
inline constexpr char kStoreInfoCommits[] =
    "SELECT coalesce((SELECT CAST(value AS INTEGER) FROM store_info WHERE key = 'commits'), 1), "
    "coalesce((SELECT CAST(value AS INTEGER) FROM store_info WHERE key = 'facts'), 1)";

// file_changes() of catalog.db at the last commit that found it to be another; none: 0
inline constexpr char kStoreInfoFileChanges[] =
    "SELECT coalesce((SELECT CAST(value AS INTEGER) FROM store_info WHERE key = 'file_changes'), 0)";

// of a copy, which is a new file
inline constexpr char kDeleteStoreInfoFileChanges[] = "DELETE FROM store_info WHERE key = 'file_changes'";

inline constexpr char kStoreInfoUuid[] = "SELECT value FROM store_info WHERE key = 'uuid'";

}  // namespace residue::storage::sql
