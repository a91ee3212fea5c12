// Statements on the table cut (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kCutIdByName[] = "SELECT id FROM cut WHERE name = ?1";

inline constexpr char kCutNameById[] = "SELECT name FROM cut WHERE id = ?1";

// name; does nothing where it is known
inline constexpr char kInsertCut[] = "INSERT INTO cut (name) VALUES (?1) ON CONFLICT DO NOTHING";

}  // namespace residue::storage::sql
