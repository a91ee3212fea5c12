// Statements on the table run_vote (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, 0 for any of the dataset, dataset -> votes that no other run has, or none of another dataset
inline constexpr char kRunVotesOfItsOwn[] =
    "SELECT DISTINCT v.vote FROM run_vote v JOIN run u ON u.id = v.run_id WHERE u.dataset_id = ?2 AND ?1 IN (0, "
    "v.run_id) AND NOT EXISTS (SELECT 1 FROM run_vote o JOIN run w ON w.id = o.run_id WHERE o.vote = v.vote AND CASE "
    "?1 WHEN 0 THEN w.dataset_id <> ?2 ELSE o.run_id <> ?1 END)";

inline constexpr char kInsertRunVoteIfNew[] = "INSERT OR IGNORE INTO run_vote (run_id, vote) VALUES (?1, ?2)";

}  // namespace residue::storage::sql
