// Statements on the table erasure (schema.sql).
#pragma once

namespace residue::storage::sql {

// the last statement on them: nothing is left of their bytes
inline constexpr char kDeleteErasures[] = "DELETE FROM erasure";

// target
inline constexpr char kErasureExists[] = "SELECT 1 FROM erasure WHERE target = ?1";

inline constexpr char kErasureExistsAny[] = "SELECT 1 FROM erasure LIMIT 1";

// target, time; does nothing where it is there
inline constexpr char kInsertErasure[] = "INSERT OR IGNORE INTO erasure (target, begun_at) VALUES (?1, ?2)";

}  // namespace residue::storage::sql
