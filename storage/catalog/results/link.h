// Statements on the table link (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, protocol, record
inline constexpr char kDeleteLinkOfRecord[] =
    "DELETE FROM link WHERE run_id = ?1 AND protocol_id = ?2 AND record_id = ?3";

// run, protocol, record, linked, tied, rank
inline constexpr char kInsertOrUpdateLink[] =
    "INSERT INTO link (run_id, protocol_id, record_id, linked_id, tied, rank) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON "
    "CONFLICT DO UPDATE SET linked_id = excluded.linked_id, tied = excluded.tied, rank = excluded.rank";

inline constexpr char kLinkCountOfDataset[] =
    "SELECT count(*) FROM link WHERE run_id IN (SELECT id FROM run WHERE dataset_id = ?1)";

inline constexpr char kLinkCountOfRun[] = "SELECT count(*) FROM link WHERE run_id = ?1";

inline constexpr char kLinkCountOfRunUnderProtocol[] =
    "SELECT count(*) FROM link WHERE run_id = ?1 AND protocol_id = ?2";

// run, protocol -> links, those that found nobody; both 0 where no variant has a text, but for kind none
inline constexpr char kLinkCountsOfRunWithText[] =
    "SELECT count(*), count(*) - count(linked_id) FROM link WHERE run_id = ?1 AND protocol_id = ?2 AND EXISTS (SELECT "
    "1 FROM run r WHERE r.id = ?1 AND (r.kind = 'none' OR EXISTS (SELECT 1 FROM variant v WHERE v.run_id = r.id AND "
    "v.text_id <> 0)))";

// run, protocol, judge -> passage, claim's text, request (0: alone); claims the attacker did not know
inline constexpr char kLinkJudgedPairsOfRun[] =
    "SELECT CASE u.kind WHEN 'aligned' THEN (SELECT v.text_id FROM variant v WHERE v.run_id = l.run_id AND v.record_id "
    "= l.linked_id) WHEN 'synthetic' THEN (SELECT v.text_id FROM variant v WHERE v.id = l.linked_id) WHEN 'none' THEN "
    "(SELECT o.text_id FROM record o WHERE o.id = l.linked_id) END AS passage, c.text_id, CASE j.claims_per_request "
    "WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM claim_request t WHERE t.claim_set_id = c.claim_set_id AND t.size = "
    "j.claims_per_request AND t.record_id = c.record_id AND t.n = c.n) END AS request FROM link l JOIN judge j ON j.id "
    "= ?3 JOIN run u ON u.id = l.run_id JOIN protocol p ON p.id = l.protocol_id JOIN auxiliary a ON a.id = "
    "p.auxiliary_id JOIN auxiliary_query q ON q.auxiliary_id = a.id AND q.record_id = l.record_id JOIN claim c ON "
    "c.claim_set_id = a.claim_set_id AND c.record_id = l.record_id WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND "
    "passage > 0 AND request IS NOT NULL AND NOT EXISTS (SELECT 1 FROM json_each(q.claims) e WHERE e.value = c.n)";

// run, protocol, judge -> key, n, rating, category, linked key, right (or NULL), claim's text, passage
inline constexpr char kLinkLeaksOfRun[] =
    "SELECT r.key, c.n, m.rating, c.category, CASE u.kind WHEN 'synthetic' THEN (SELECT v.key FROM variant v WHERE "
    "v.id = l.linked_id) ELSE (SELECT o.key FROM record o WHERE o.id = l.linked_id) END, CASE WHEN u.kind <> "
    "'synthetic' THEN l.linked_id = l.record_id END, c.text_id, m.passage_id FROM link l JOIN run u ON u.id = l.run_id "
    "JOIN record r ON r.id = l.record_id JOIN protocol p ON p.id = l.protocol_id JOIN auxiliary a ON a.id = "
    "p.auxiliary_id JOIN auxiliary_query q ON q.auxiliary_id = a.id AND q.record_id = l.record_id JOIN claim c ON "
    "c.claim_set_id = a.claim_set_id AND c.record_id = l.record_id JOIN judge j ON j.id = ?3 JOIN judgment m ON "
    "m.judge_id = ?3 AND m.claim_id = c.text_id AND m.passage_id = CASE u.kind WHEN 'aligned' THEN (SELECT v.text_id "
    "FROM variant v WHERE v.run_id = l.run_id AND v.record_id = l.linked_id) WHEN 'synthetic' THEN (SELECT v.text_id "
    "FROM variant v WHERE v.id = l.linked_id) WHEN 'none' THEN (SELECT o.text_id FROM record o WHERE o.id = "
    "l.linked_id) END AND m.request_id = CASE j.claims_per_request WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM "
    "claim_request t WHERE t.claim_set_id = c.claim_set_id AND t.size = j.claims_per_request AND t.record_id = "
    "c.record_id AND t.n = c.n) END WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND m.rating <= 2 AND (u.kind <> "
    "'aligned' OR EXISTS (SELECT 1 FROM variant v WHERE v.run_id = l.run_id AND v.record_id = l.record_id AND "
    "v.text_id IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM json_each(q.claims) e WHERE e.value = c.n)";

// run, protocol, record -> linked, tied, run's kind, right (not synthetic), key, text, auxiliary claims
inline constexpr char kLinkOfRecordWithLinkedText[] =
    "SELECT l.linked_id, l.tied, u.kind, l.linked_id = l.record_id, CASE u.kind WHEN 'synthetic' THEN (SELECT v.key "
    "FROM variant v WHERE v.id = l.linked_id) ELSE (SELECT o.key FROM record o WHERE o.id = l.linked_id) END, CASE "
    "u.kind WHEN 'aligned' THEN (SELECT v.text_id FROM variant v WHERE v.run_id = l.run_id AND v.record_id = "
    "l.linked_id) WHEN 'synthetic' THEN (SELECT v.text_id FROM variant v WHERE v.id = l.linked_id) WHEN 'none' THEN "
    "(SELECT o.text_id FROM record o WHERE o.id = l.linked_id) END, q.claims FROM link l JOIN run u ON u.id = l.run_id "
    "JOIN protocol p ON p.id = l.protocol_id LEFT JOIN auxiliary_query q ON q.auxiliary_id = p.auxiliary_id AND "
    "q.record_id = l.record_id WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND l.record_id = ?3";

// judge -> passage, claim's text, request (0: alone, NULL: never asked), once; auxiliary claims, too
inline constexpr char kLinkPairsOfJudge[] =
    "SELECT DISTINCT CASE u.kind WHEN 'aligned' THEN (SELECT v.text_id FROM variant v WHERE v.run_id = l.run_id AND "
    "v.record_id = l.linked_id) WHEN 'synthetic' THEN (SELECT v.text_id FROM variant v WHERE v.id = l.linked_id) WHEN "
    "'none' THEN (SELECT o.text_id FROM record o WHERE o.id = l.linked_id) END, c.text_id, CASE j.claims_per_request "
    "WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM claim_request t WHERE t.claim_set_id = c.claim_set_id AND t.size = "
    "j.claims_per_request AND t.record_id = c.record_id AND t.n = c.n) END FROM link l JOIN judge j ON j.id = ?1 JOIN "
    "run u ON u.id = l.run_id JOIN protocol p ON p.id = l.protocol_id JOIN auxiliary a ON a.id = p.auxiliary_id JOIN "
    "claim c ON c.claim_set_id = a.claim_set_id AND c.record_id = l.record_id WHERE l.linked_id IS NOT NULL";

// run, protocol -> of an aligned run (else 0): links that found somebody, those to the own record or its original,
// different records found
inline constexpr char kLinkScatterOfAlignedRun[] =
    "SELECT count(*), coalesce(sum(o.id = r.id OR o.text_id = r.text_id), 0), count(DISTINCT "
    "l.linked_id) FROM link l JOIN run u ON u.id = l.run_id JOIN record r ON r.id = l.record_id JOIN record o ON o.id "
    "= l.linked_id WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND u.kind = 'aligned'";

// run, protocol -> record, linked, tied, rank
inline constexpr char kLinksOfRunUnderProtocol[] =
    "SELECT record_id, linked_id, tied, rank FROM link WHERE run_id = ?1 AND protocol_id = ?2";

}  // namespace residue::storage::sql
