// Statements on the table claim_request (schema.sql).
#pragma once

namespace residue::storage::sql {

// protocol, record, n, judge -> claim's text, request (0: alone, NULL: never asked)
inline constexpr char kClaimRequestOfJudgedClaim[] =
    "SELECT c.text_id, CASE j.claims_per_request WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM claim_request t WHERE "
    "t.claim_set_id = c.claim_set_id AND t.size = j.claims_per_request AND t.record_id = c.record_id AND t.n = c.n) "
    "END FROM protocol p JOIN auxiliary a ON a.id = p.auxiliary_id JOIN claim c ON c.claim_set_id = a.claim_set_id AND "
    "c.record_id = ?2 AND c.n = ?3 JOIN judge j ON j.id = ?4 WHERE p.id = ?1";

// claim set, size -> record, n, request, by record and n
inline constexpr char kClaimRequestsOfClaimSet[] =
    "SELECT record_id, n, request_id FROM claim_request WHERE claim_set_id = ?1 AND size = ?2 ORDER BY record_id, n";

// claim set, size, record, n
inline constexpr char kDeleteClaimRequest[] =
    "DELETE FROM claim_request WHERE claim_set_id = ?1 AND size = ?2 AND record_id = ?3 AND n = ?4";

// of requests that led to no judgment
inline constexpr char kDeleteClaimRequestsUnjudged[] =
    "DELETE FROM claim_request WHERE request_id NOT IN (SELECT request_id FROM judgment)";

// claim set, size, record, n, request; replaces the row that is there
inline constexpr char kInsertClaimRequest[] =
    "INSERT OR REPLACE INTO claim_request (claim_set_id, size, record_id, n, request_id) VALUES (?1, ?2, ?3, ?4, ?5)";

}  // namespace residue::storage::sql
