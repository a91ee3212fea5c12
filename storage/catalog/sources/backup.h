// Statements on the table backup (schema.sql).
#pragma once

namespace residue::storage::sql {

// text -> path, time; finished ones that may hold a text of this id, oldest first
inline constexpr char kBackupsWithText[] =
    "SELECT path, finished_at FROM backup WHERE finished_at IS NOT NULL AND next_text > ?1 ORDER BY id";

// -> id, path, time, next text
inline constexpr char kBackupsUnfinished[] =
    "SELECT id, path, begun_at, next_text FROM backup WHERE finished_at IS NULL ORDER BY id";

// id
inline constexpr char kDeleteBackup[] = "DELETE FROM backup WHERE id = ?1";

// path, time, next text
inline constexpr char kInsertBackup[] = "INSERT INTO backup (path, begun_at, next_text) VALUES (?1, ?2, ?3)";

// time; of all that are not finished
inline constexpr char kUpdateBackupsFinished[] = "UPDATE backup SET finished_at = ?1 WHERE finished_at IS NULL";

// id, time, next text
inline constexpr char kUpdateBackupFinished[] = "UPDATE backup SET finished_at = ?2, next_text = ?3 WHERE id = ?1";

}  // namespace residue::storage::sql
