// Statements on the table claim_request (schema.sql).
#pragma once

namespace residue::storage::sql {

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
