// Statements on the table embedder_origin (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kEmbedderOriginByName[] = "SELECT spec, queries FROM embedder_origin WHERE name = ?1";

inline constexpr char kEmbedderOriginNames[] = "SELECT name FROM embedder_origin";

// name, spec, queries
inline constexpr char kInsertOrReplaceEmbedderOrigin[] =
    "INSERT OR REPLACE INTO embedder_origin (name, spec, queries) VALUES (?1, ?2, ?3)";

}  // namespace residue::storage::sql
