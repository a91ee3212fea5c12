// Statements on the table asked_with (schema.sql).
#pragma once

namespace residue::storage::sql {

// digest, spec; does nothing where it is known
inline constexpr char kInsertAskedWith[] = "INSERT OR IGNORE INTO asked_with (digest, spec) VALUES (?1, ?2)";

}  // namespace residue::storage::sql
