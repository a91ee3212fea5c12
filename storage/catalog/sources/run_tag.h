// Statements on the table run_tag (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteRunTag[] = "DELETE FROM run_tag WHERE run_id = ?1 AND tag = ?2";

inline constexpr char kInsertRunTagIfNew[] = "INSERT OR IGNORE INTO run_tag (run_id, tag) VALUES (?1, ?2)";

// run -> tags, in order
inline constexpr char kRunTags[] = "SELECT tag FROM run_tag WHERE run_id = ?1 ORDER BY tag";

// dataset's name ('': all) -> run, tag; in order of both
inline constexpr char kRunTagsOfDataset[] =
    "SELECT t.run_id, t.tag FROM run_tag t JOIN run u ON u.id = t.run_id JOIN dataset d ON d.id = u.dataset_id WHERE "
    "?1 = '' OR d.name = ?1 ORDER BY t.run_id, t.tag";

}  // namespace residue::storage::sql
