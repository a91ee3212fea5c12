// Statements on the table evaluation (schema.sql).
#pragma once

namespace residue::storage::sql {

// id; takes its metrics, their history, sums and scores along
inline constexpr char kDeleteEvaluation[] = "DELETE FROM evaluation WHERE id = ?1";

// run, tier
inline constexpr char kDeleteEvaluationsOfRunTier[] = "DELETE FROM evaluation WHERE run_id = ?1 AND tier = ?2";

// run, protocol -> id, name of the embedder whose evaluation has metrics
inline constexpr char kEvaluationEmbedderOfVectors[] =
    "SELECT b.id, b.name FROM evaluation e JOIN embedder b ON b.id = e.embedder_id WHERE e.run_id = ?1 AND e.tier = "
    "'vector' AND e.protocol_id = ?2 AND EXISTS (SELECT 1 FROM metric m WHERE m.evaluation_id = e.id)";

// protocol, judge: of any run and tier
inline constexpr char kEvaluationExistsByJudge[] =
    "SELECT 1 FROM evaluation WHERE protocol_id = ?1 AND judge_id = ?2 AND tier = 'judge' LIMIT 1";

// run, protocol
inline constexpr char kEvaluationExistsOfLinks[] =
    "SELECT 1 FROM evaluation WHERE run_id = ?1 AND protocol_id = ?2 AND tier = 'link'";

// run, tier
inline constexpr char kEvaluationExistsOfRunTier[] = "SELECT 1 FROM evaluation WHERE run_id = ?1 AND tier = ?2";

// run, metric of tier text
inline constexpr char kEvaluationExistsOfTextMetric[] =
    "SELECT 1 FROM evaluation e JOIN metric m ON m.evaluation_id = e.id WHERE e.run_id = ?1 AND e.tier = 'text' AND "
    "m.metric = ?2 LIMIT 1";

// dataset -> id, run; of judges that are models elsewhere
inline constexpr char kEvaluationsByPaidJudges[] =
    "SELECT e.id, e.run_id FROM evaluation e JOIN run u ON u.id = e.run_id JOIN judge j ON j.id = e.judge_id WHERE "
    "u.dataset_id = ?1 AND NOT j.embedded";

// cut -> id, run; with sums or metrics of it
inline constexpr char kEvaluationsOfCut[] =
    "SELECT e.id, e.run_id FROM evaluation e WHERE e.id IN (SELECT evaluation_id FROM aggregate WHERE cut = ?1) OR "
    "e.id IN (SELECT evaluation_id FROM metric WHERE slice = (SELECT name FROM cut WHERE id = ?1))";

// run, tier, protocol, witness, definitions, content of run, dataset, claims: up to date if it exists
inline constexpr char kEvaluationExistsWithContents[] =
    "SELECT 1 FROM evaluation WHERE run_id = ?1 AND tier = ?2 AND protocol_id = ?3 AND coalesce(judge_id, "
    "answer_set_id, embedder_id, 0) = ?4 AND definitions = ?5 AND run_content = ?6 AND dataset_content = ?7 AND "
    "claims_content = ?8";

// run, tier, protocol, witness -> id, definitions
inline constexpr char kEvaluationIdAndDefinitions[] =
    "SELECT id, definitions FROM evaluation WHERE run_id = ?1 AND tier = ?2 AND protocol_id = ?3 AND "
    "coalesce(judge_id, answer_set_id, embedder_id, 0) = ?4";

// run, embedder (0: none) -> id
inline constexpr char kEvaluationIdOfCorpus[] =
    "SELECT id FROM evaluation WHERE run_id = ?1 AND tier = 'corpus' AND protocol_id = 0 AND coalesce(judge_id, "
    "answer_set_id, embedder_id, 0) = ?2";

// run, protocol (0: none), judge (0: none), control -> id
inline constexpr char kEvaluationIdOfOutside[] =
    "SELECT id FROM evaluation WHERE run_id = ?1 AND tier = 'outside' AND protocol_id = ?2 AND coalesce(judge_id, "
    "answer_set_id, embedder_id, 0) = ?3 AND control_id = ?4";

// protocol -> judge, its name, of the evaluation made last
inline constexpr char kEvaluationLatestJudgeOfProtocol[] =
    "SELECT j.id, j.name FROM evaluation e JOIN judge j ON j.id = e.judge_id WHERE e.protocol_id = ?1 ORDER BY e.id "
    "DESC LIMIT 1";

inline constexpr char kEvaluationProtocolId[] = "SELECT protocol_id FROM evaluation WHERE id = ?1";

// dataset -> protocol's name, judge's name, each pair once, in order
inline constexpr char kEvaluationProtocolsAndJudges[] =
    "SELECT DISTINCT p.name, j.name FROM evaluation e JOIN protocol p ON p.id = e.protocol_id JOIN judge j ON j.id = "
    "e.judge_id WHERE p.dataset_id = ?1 ORDER BY 1, 2";

// dataset, judge's name ('': any) -> names of protocols, each once, in order
inline constexpr char kEvaluationProtocolsOfJudge[] =
    "SELECT DISTINCT p.name FROM evaluation e JOIN protocol p ON p.id = e.protocol_id JOIN judge j ON j.id = "
    "e.judge_id WHERE p.dataset_id = ?1 AND (?2 = '' OR j.name = ?2) ORDER BY 1";

// run, tier -> protocol, its name, by name
inline constexpr char kEvaluationProtocolsOfRunTier[] =
    "SELECT e.protocol_id, p.name FROM evaluation e JOIN protocol p ON p.id = e.protocol_id WHERE e.run_id = ?1 AND "
    "e.tier = ?2 ORDER BY p.name";

// run, tier, protocol, witness -> id, definitions, same run, same dataset, same claims, claims content, dataset
inline constexpr char kEvaluationUpToDate[] =
    "SELECT e.id, e.definitions, e.run_content = u.content, e.dataset_content = d.content, e.claims_content = (SELECT "
    "c.content FROM evaluation_content c WHERE c.evaluation_id = e.id), e.claims_content, d.id FROM evaluation e JOIN "
    "run u ON u.id = e.run_id JOIN dataset d ON d.id = u.dataset_id WHERE e.run_id = ?1 AND e.tier = ?2 AND "
    "e.protocol_id = ?3 AND coalesce(e.judge_id, e.answer_set_id, e.embedder_id, 0) = ?4";

// run, tier, protocol, witness -> id, definitions, contents of run, dataset, claims; claims content now
inline constexpr char kEvaluationWithPresentClaims[] =
    "SELECT e.id, e.definitions, e.run_content, e.dataset_content, e.claims_content, (SELECT c.content FROM "
    "evaluation_content c WHERE c.evaluation_id = e.id) FROM evaluation e WHERE run_id = ?1 AND tier = ?2 AND "
    "protocol_id = ?3 AND coalesce(judge_id, answer_set_id, embedder_id, 0) = ?4";

// definitions, metric, metric of tier outside -> names of dataset, run, protocol, judge, sample, whether it has such a
// row, whether the run has a row of the other; only what is up to date
inline constexpr char kEvaluationsByJudgeCurrent[] =
    "SELECT d.name, r.name, p.name, j.name, p.sample, EXISTS (SELECT 1 FROM metric m WHERE m.evaluation_id = e.id AND "
    "m.metric = ?2), EXISTS (SELECT 1 FROM evaluation o JOIN metric m ON m.evaluation_id = o.id WHERE o.run_id = r.id "
    "AND o.tier = 'outside' AND m.metric = ?3) FROM evaluation e JOIN run r ON r.id = e.run_id JOIN dataset d ON "
    "d.id = r.dataset_id JOIN protocol p ON p.id = e.protocol_id JOIN judge j ON j.id = e.judge_id JOIN "
    "evaluation_content c ON c.evaluation_id = e.id WHERE e.tier = 'judge' AND e.definitions = ?1 AND e.run_content = "
    "r.content AND "
    "e.dataset_content = d.content AND e.claims_content = c.content";

// run -> protocol, its name, sample, judge, its name
inline constexpr char kEvaluationsByJudgeNewestFirst[] =
    "SELECT p.id, p.name, p.sample, j.id, j.name FROM evaluation e JOIN protocol p ON p.id = e.protocol_id JOIN judge "
    "j ON j.id = e.judge_id WHERE e.run_id = ?1 AND e.tier = 'judge' ORDER BY e.id DESC";

// run (0: all), metric (0: any) -> id, definitions, same run, dataset, claims?, names of dataset, run, embedder
inline constexpr char kEvaluationsOfCorpusUpToDate[] =
    "SELECT e.id, e.definitions, e.run_content = u.content, e.dataset_content = d.content, e.claims_content = (SELECT "
    "c.content FROM evaluation_content c WHERE c.evaluation_id = e.id), d.name, u.name, b.name FROM evaluation e JOIN "
    "run u ON u.id = e.run_id JOIN dataset d ON d.id = u.dataset_id LEFT JOIN embedder b ON b.id = e.embedder_id WHERE "
    "e.tier = 'corpus' AND (?1 = 0 OR e.run_id = ?1) AND (?2 = 0 OR EXISTS (SELECT 1 FROM metric m WHERE "
    "m.evaluation_id = e.id AND m.metric = ?2)) ORDER BY e.id";

// -> names of dataset, run, protocol, embedder, sample, run, protocol, in the order of ids
inline constexpr char kEvaluationsOfVectors[] =
    "SELECT d.name, u.name, p.name, b.name, p.sample, u.id, p.id FROM evaluation e JOIN run u ON u.id = e.run_id JOIN "
    "dataset d ON d.id = u.dataset_id JOIN protocol p ON p.id = e.protocol_id JOIN embedder b ON b.id = e.embedder_id "
    "WHERE e.tier = 'vector' ORDER BY e.id";

// run, tier, protocol, judge, answer set, embedder (at most one is not NULL), definitions, content of all three
inline constexpr char kInsertEvaluation[] =
    "INSERT INTO evaluation (run_id, tier, protocol_id, judge_id, answer_set_id, embedder_id, definitions, "
    "run_content, dataset_content, claims_content) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?8)";

// run, protocol (0: none), judge (0: none), control, definitions; incomplete, the contents are empty
inline constexpr char kInsertEvaluationOfOutside[] =
    "INSERT INTO evaluation (run_id, tier, protocol_id, judge_id, control_id, definitions, run_content, "
    "dataset_content, claims_content) VALUES (?1, 'outside', ?2, nullif(?3, 0), ?4, ?5, x'', x'', x'')";

// run, embedder (0: none), definitions; incomplete, the contents are empty
inline constexpr char kInsertEvaluationOfCorpus[] =
    "INSERT INTO evaluation (run_id, tier, protocol_id, embedder_id, definitions, run_content, dataset_content, "
    "claims_content) VALUES (?1, 'corpus', 0, nullif(?2, 0), ?3, x'', x'', x'')";

// run, protocol, content so far, new content: of all tiers that have the old one
inline constexpr char kUpdateEvaluationClaimsContent[] =
    "UPDATE evaluation SET claims_content = ?4 WHERE run_id = ?1 AND protocol_id = ?2 AND claims_content = ?3";

// evaluation, content of run, dataset, claims
inline constexpr char kUpdateEvaluationContents[] =
    "UPDATE evaluation SET run_content = ?2, dataset_content = ?3, claims_content = ?4 WHERE id = ?1";

// evaluation, definitions
inline constexpr char kUpdateEvaluationDefinitions[] = "UPDATE evaluation SET definitions = ?2 WHERE id = ?1";

// evaluation, definitions, content of run, dataset, claims
inline constexpr char kUpdateEvaluationDefinitionsAndContents[] =
    "UPDATE evaluation SET definitions = ?2, run_content = ?3, dataset_content = ?4, claims_content = ?5 WHERE id = ?1";

// evaluation, the empty blob
inline constexpr char kUpdateEvaluationIncomplete[] =
    "UPDATE evaluation SET run_content = ?2, dataset_content = ?2, claims_content = ?2 WHERE id = ?1";

// of models and cascades of them, where a record's score failed: counts as stale
inline constexpr char kUpdateEvaluationIncompleteOfFailed[] =
    "UPDATE evaluation SET run_content = x'' WHERE tier = 'judge' AND judge_id IN (SELECT id FROM judge WHERE "
    "json_extract(spec, '$.imported') IS NULL AND json_extract(spec, '$.judge') IN ('model', 'cascade')) AND EXISTS "
    "(SELECT 1 FROM score s WHERE s.evaluation_id = evaluation.id AND s.state = 1)";

// judge: counts as stale
inline constexpr char kUpdateEvaluationIncompleteOfJudge[] =
    "UPDATE evaluation SET run_content = x'' WHERE judge_id = ?1";

// run, protocol, the empty blob: of tier link
inline constexpr char kUpdateEvaluationIncompleteOfLinks[] =
    "UPDATE evaluation SET run_content = ?3, dataset_content = ?3, claims_content = ?3 WHERE run_id = ?1 AND "
    "protocol_id = ?2 AND tier = 'link'";

// run, protocol, embedder: those of the other embedders
inline constexpr char kUpdateEvaluationIncompleteOfVectors[] =
    "UPDATE evaluation SET run_content = x'', dataset_content = x'', claims_content = x'' WHERE run_id = ?1 AND tier = "
    "'vector' AND protocol_id = ?2 AND embedder_id <> ?3";

// run -> protocol's name, judge's name, sample, protocol, judge; by the names
inline constexpr char kEvaluationsJudgedOfRunByName[] =
    "SELECT p.name, j.name, p.sample, p.id, j.id FROM evaluation e JOIN protocol p ON p.id = e.protocol_id JOIN judge "
    "j ON j.id = e.judge_id WHERE e.run_id = ?1 AND e.tier = 'judge' ORDER BY p.name, p.sample, j.name";

}  // namespace residue::storage::sql
