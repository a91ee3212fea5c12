// Statements on the table saved_view (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteSavedView[] = "DELETE FROM saved_view WHERE name = ?1";

// name, words, when
inline constexpr char kPutSavedView[] =
    "INSERT OR REPLACE INTO saved_view (name, words, saved_at) VALUES (?1, ?2, ?3)";

// -> name, words, when; by name
inline constexpr char kSavedViews[] = "SELECT name, words, saved_at FROM saved_view ORDER BY name";

}  // namespace residue::storage::sql
