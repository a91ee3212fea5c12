// Statements on the table auxiliary_query (schema.sql).
#pragma once

namespace residue::storage::sql {

// auxiliary -> record, text, claims, short
inline constexpr char kAuxiliaryQueriesOfAuxiliary[] =
    "SELECT record_id, text_id, claims, short FROM auxiliary_query WHERE auxiliary_id = ?1";

// dataset's name, NULL: of all -> text, dataset's name, record's key; in order of names and keys
inline constexpr char kAuxiliaryQueriesOfDataset[] =
    "SELECT q.text_id, d.name, r.key FROM auxiliary_query q JOIN record r ON r.id = q.record_id JOIN dataset d ON d.id "
    "= r.dataset_id WHERE ?1 IS NULL OR d.name = ?1 ORDER BY d.name, r.key";

// judge -> query's text, claim's text, request (0: judge of one claim, NULL: never asked); each once
inline constexpr char kAuxiliaryQueryPairsOfJudge[] =
    "SELECT DISTINCT q.text_id, c.text_id, CASE j.claims_per_request WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM "
    "claim_request t WHERE t.claim_set_id = c.claim_set_id AND t.size = j.claims_per_request AND t.record_id = "
    "c.record_id AND t.n = c.n) END FROM auxiliary_query q JOIN judge j ON j.id = ?1 JOIN auxiliary a ON a.id = "
    "q.auxiliary_id JOIN claim c ON c.claim_set_id = a.claim_set_id AND c.record_id = q.record_id";

// run, protocol -> text; of the records whose link found nobody
inline constexpr char kAuxiliaryQueryTextsOfUnlinkedRecords[] =
    "SELECT q.text_id FROM link l JOIN protocol p ON p.id = l.protocol_id JOIN auxiliary_query q ON q.auxiliary_id = "
    "p.auxiliary_id AND q.record_id = l.record_id WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND l.linked_id IS NULL";

// protocol, the empty text -> records; those of the empty text; with text, without claims; with claims of which the
// attacker knows none; of which he knows all
inline constexpr char kAuxiliaryQueryCountsOfProtocol[] =
    "SELECT count(*), coalesce(sum(r.text_id = ?2), 0), coalesce(sum(r.text_id <> ?2 AND c.n IS NULL), 0), "
    "coalesce(sum(r.text_id <> ?2 AND c.n > 0 AND q.claims IS NULL), 0), "
    "coalesce(sum(r.text_id <> ?2 AND json_array_length(q.claims) >= c.n), 0) "
    "FROM protocol p JOIN auxiliary a ON a.id = p.auxiliary_id JOIN record r ON r.dataset_id = p.dataset_id LEFT JOIN "
    "(SELECT record_id, count(*) AS n FROM claim WHERE claim_set_id = (SELECT b.claim_set_id FROM protocol o JOIN "
    "auxiliary b ON b.id = o.auxiliary_id WHERE o.id = ?1) GROUP BY record_id) c ON c.record_id = r.id LEFT JOIN "
    "auxiliary_query q ON q.auxiliary_id = a.id AND q.record_id = r.id WHERE p.id = ?1";

inline constexpr char kDeleteAuxiliaryQueryOfRecord[] =
    "DELETE FROM auxiliary_query WHERE auxiliary_id = ?1 AND record_id = ?2";

// auxiliary, record, text, short, claims
inline constexpr char kInsertOrUpdateAuxiliaryQuery[] =
    "INSERT INTO auxiliary_query (auxiliary_id, record_id, text_id, short, claims) VALUES (?1, ?2, ?3, ?4, ?5) ON "
    "CONFLICT DO UPDATE SET text_id = excluded.text_id, short = excluded.short, claims = excluded.claims";

}  // namespace residue::storage::sql
