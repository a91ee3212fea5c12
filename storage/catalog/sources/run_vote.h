// Statements on the table run_vote (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kInsertRunVoteIfNew[] = "INSERT OR IGNORE INTO run_vote (run_id, vote) VALUES (?1, ?2)";

}  // namespace residue::storage::sql
