// Statements on the table judgment (schema.sql).
#pragma once

namespace residue::storage::sql {

// judge, passage, claim, request
inline constexpr char kDeleteJudgment[] =
    "DELETE FROM judgment WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3 AND request_id = ?4";

// judge, passage, claim: of all requests
inline constexpr char kDeleteJudgmentsOfPair[] =
    "DELETE FROM judgment WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3";

// judge, passage, claim, rating, request; does nothing where it is there
inline constexpr char kInsertJudgment[] =
    "INSERT OR IGNORE INTO judgment (judge_id, passage_id, claim_id, rating, request_id) VALUES (?1, ?2, ?3, ?4, ?5)";

// judge, passage, claim, rating: without a request
inline constexpr char kInsertJudgmentElsewhere[] =
    "INSERT INTO judgment (judge_id, passage_id, claim_id, rating) VALUES (?1, ?2, ?3, ?4)";

// judge, passage, claim: the mode of the samples, of a tie the lower; changes() is 0 where it was that
inline constexpr char kInsertJudgmentFromSamples[] =
    "INSERT INTO judgment (judge_id, passage_id, claim_id, rating) SELECT ?1, ?2, ?3, rating FROM judgment_sample "
    "WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3 GROUP BY rating ORDER BY count(*) DESC, rating LIMIT 1 "
    "ON CONFLICT DO UPDATE SET rating = excluded.rating WHERE rating <> excluded.rating";

// any by a judge that is not embedded
inline constexpr char kJudgmentExistsNotEmbedded[] =
    "SELECT 1 FROM judgment m JOIN judge j ON j.id = m.judge_id WHERE NOT j.embedded LIMIT 1";

// -> judge, passage, claim, of all judges
inline constexpr char kJudgmentPairsOfAll[] = "SELECT judge_id, passage_id, claim_id FROM judgment";

// -> judge, passage, claim, request, of all judges
inline constexpr char kJudgmentPairsOfAllWithRequest[] =
    "SELECT judge_id, passage_id, claim_id, request_id FROM judgment";

// judge -> passage, claim, request
inline constexpr char kJudgmentPairsOfJudge[] =
    "SELECT passage_id, claim_id, request_id FROM judgment WHERE judge_id = ?1";

// judge, passage, claim, request -> rating
inline constexpr char kJudgmentRating[] =
    "SELECT rating FROM judgment WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3 AND request_id = ?4";

// judge's name, passage, claim, record -> ratings, of the requests with the record's claims, ascending
inline constexpr char kJudgmentRatingsOfRecordPair[] =
    "SELECT m.rating FROM judge j JOIN judgment m ON m.judge_id = j.id AND m.passage_id = ?2 AND m.claim_id = ?3 WHERE "
    "j.name = ?1 AND (j.claims_per_request = 1 OR EXISTS (SELECT 1 FROM claim_request t JOIN claim c ON c.claim_set_id "
    "= t.claim_set_id AND c.record_id = t.record_id AND c.n = t.n AND c.text_id = m.claim_id WHERE t.record_id = ?4 "
    "AND t.size = j.claims_per_request AND t.request_id = m.request_id)) ORDER BY m.rating";

// -> names of two judges, not both embedded, rating of each, passage; by judges
inline constexpr char kJudgmentRatingsOfTwoJudges[] =
    "SELECT j.name, k.name, a.rating, b.rating, a.passage_id FROM judge j JOIN judge k ON k.name > j.name JOIN "
    "judgment a ON a.judge_id = j.id JOIN judgment b ON b.judge_id = k.id AND b.passage_id = a.passage_id AND "
    "b.claim_id = a.claim_id AND (b.request_id = a.request_id OR j.claims_per_request <> k.claims_per_request) WHERE "
    "NOT (j.embedded AND k.embedded) ORDER BY j.name, k.name";

// judge -> request of each judgment
inline constexpr char kJudgmentRequestsOfJudge[] = "SELECT request_id FROM judgment WHERE judge_id = ?1";

// -> texts: passages and claims that judges not embedded rated, and the claims of all requests
inline constexpr char kJudgmentTextsPaidFor[] =
    "SELECT passage_id FROM judgment WHERE judge_id IN (SELECT id FROM judge WHERE NOT embedded) UNION SELECT claim_id "
    "FROM judgment WHERE judge_id IN (SELECT id FROM judge WHERE NOT embedded) UNION SELECT e.value FROM request q, "
    "json_each(q.claims) e";

// -> judge, passage, claim, rating, of judges whose judgments were made elsewhere
inline constexpr char kJudgmentsElsewhere[] =
    "SELECT m.judge_id, m.passage_id, m.claim_id, m.rating FROM judgment m JOIN judge j ON j.id = m.judge_id WHERE "
    "json_extract(j.spec, '$.imported') IS NOT NULL";

// run, protocol, judge -> key, n, rating, claim's text, passage; of claims that the attacker does not know
inline constexpr char kJudgmentsOfLinkedRecordsOfRun[] =
    "SELECT r.key, c.n, m.rating, c.text_id, m.passage_id, m.request_id FROM link l JOIN run u ON u.id = l.run_id JOIN record r ON "
    "r.id = l.record_id JOIN protocol p ON p.id = l.protocol_id JOIN auxiliary a ON a.id = p.auxiliary_id JOIN "
    "auxiliary_query q ON q.auxiliary_id = a.id AND q.record_id = l.record_id JOIN claim c ON c.claim_set_id = "
    "a.claim_set_id AND c.record_id = l.record_id JOIN judge j ON j.id = ?3 JOIN judgment m ON m.judge_id = ?3 AND "
    "m.claim_id = c.text_id AND m.passage_id = CASE u.kind WHEN 'aligned' THEN (SELECT v.text_id FROM variant v WHERE "
    "v.run_id = l.run_id AND v.record_id = l.linked_id) WHEN 'synthetic' THEN (SELECT v.text_id FROM variant v WHERE "
    "v.id = l.linked_id) WHEN 'none' THEN (SELECT o.text_id FROM record o WHERE o.id = l.linked_id) END AND "
    "m.request_id = CASE j.claims_per_request WHEN 1 THEN 0 ELSE (SELECT t.request_id FROM claim_request t WHERE "
    "t.claim_set_id = c.claim_set_id AND t.size = j.claims_per_request AND t.record_id = c.record_id AND t.n = c.n) "
    "END WHERE l.run_id = ?1 AND l.protocol_id = ?2 AND NOT EXISTS (SELECT 1 FROM json_each(q.claims) e WHERE e.value "
    "= c.n)";

// judge, passage -> claim, request, rating, by claim and request
inline constexpr char kJudgmentsOfPassage[] =
    "SELECT claim_id, request_id, rating FROM judgment WHERE judge_id = ?1 AND passage_id = ?2 ORDER BY claim_id, "
    "request_id";

// protocol, record, judge, passage -> n, rating, request; by n
inline constexpr char kJudgmentsOfRecordOnPassage[] =
    "SELECT c.n, m.rating, m.request_id FROM protocol p JOIN auxiliary a ON a.id = p.auxiliary_id JOIN claim c ON "
    "c.claim_set_id = a.claim_set_id AND c.record_id = ?2 JOIN judge j ON j.id = ?3 JOIN judgment m ON m.judge_id = ?3 "
    "AND m.passage_id = ?4 AND m.claim_id = c.text_id AND m.request_id = CASE j.claims_per_request WHEN 1 THEN 0 ELSE "
    "(SELECT t.request_id FROM claim_request t WHERE t.claim_set_id = c.claim_set_id AND t.size = j.claims_per_request "
    "AND t.record_id = c.record_id AND t.n = c.n) END WHERE p.id = ?1 ORDER BY c.n";

}  // namespace residue::storage::sql
