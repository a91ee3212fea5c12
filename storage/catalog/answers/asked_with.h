// Statements on the table asked_with (schema.sql).
#pragma once

namespace residue::storage::sql {

// digest, spec; does nothing where it is known
inline constexpr char kInsertAskedWith[] = "INSERT OR IGNORE INTO asked_with (digest, spec) VALUES (?1, ?2)";

// the first 16 hexadecimal digits of a digest, in small letters -> digest
inline constexpr char kAskedWithDigestByBeginning[] =
    "SELECT digest FROM asked_with WHERE lower(hex(substr(digest, 1, 8))) = ?1";

}  // namespace residue::storage::sql
