// Statements on the table auxiliary (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kAuxiliaryByPolicy[] =
    "SELECT id, content FROM auxiliary WHERE claim_set_id = ?1 AND policy = ?2";

// -> how many are of claims that have been replaced since
inline constexpr char kAuxiliaryCountOutdated[] =
    "SELECT count(*) FROM auxiliary a JOIN claim_set s ON s.id = a.claim_set_id WHERE substr(a.content, 1, "
    "length(s.content)) <> s.content";

// claim set, policy, content
inline constexpr char kInsertAuxiliary[] = "INSERT INTO auxiliary (claim_set_id, policy, content) VALUES (?1, ?2, ?3)";

inline constexpr char kUpdateAuxiliaryContent[] = "UPDATE auxiliary SET content = ?2 WHERE id = ?1";

}  // namespace residue::storage::sql
