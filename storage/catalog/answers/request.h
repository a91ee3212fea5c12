// Statements on the table request (schema.sql).
#pragma once

namespace residue::storage::sql {

// that led to no judgment
inline constexpr char kDeleteRequestsUnjudged[] =
    "DELETE FROM request WHERE id NOT IN (SELECT request_id FROM judgment)";

// id, claims
inline constexpr char kInsertRequest[] = "INSERT INTO request (id, claims) VALUES (?1, ?2)";

// request -> texts of its claims, in the order of the prompt
inline constexpr char kRequestClaimTexts[] =
    "SELECT e.value FROM request q, json_each(q.claims) e WHERE q.id = ?1 ORDER BY e.key";

// -> request, text of a claim, by request in the order of the prompt
inline constexpr char kRequestClaimTextsOfAll[] =
    "SELECT q.id, e.value FROM request q, json_each(q.claims) e ORDER BY q.id, e.key";

inline constexpr char kRequestClaimsJson[] = "SELECT claims FROM request WHERE id = ?1";

}  // namespace residue::storage::sql
