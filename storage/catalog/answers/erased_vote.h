// Statements on the table erased_vote (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteErasedVotes[] = "DELETE FROM erased_vote";

inline constexpr char kErasedVotes[] = "SELECT vote FROM erased_vote";

// vote; does nothing where it is there
inline constexpr char kInsertErasedVote[] = "INSERT OR IGNORE INTO erased_vote (vote) VALUES (?1)";

}  // namespace residue::storage::sql
