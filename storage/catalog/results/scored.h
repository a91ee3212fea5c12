// Statements on the table scored (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteScoredOfEvaluation[] = "DELETE FROM scored WHERE evaluation_id = ?1";

// judge: all that was scored by it is scored again (query/stored/score_store.h)
inline constexpr char kUpdateScoredWaitingOfJudge[] =
    "UPDATE scored SET input = 0 WHERE evaluation_id IN (SELECT id FROM evaluation WHERE judge_id = ?1)";

// evaluation, record
inline constexpr char kDeleteScoredRecord[] = "DELETE FROM scored WHERE evaluation_id = ?1 AND record_id = ?2";

// evaluation, record, input, unit, scores
inline constexpr char kInsertOrUpdateScored[] =
    "INSERT INTO scored (evaluation_id, record_id, input, unit, scores) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO "
    "UPDATE SET input = excluded.input, unit = excluded.unit, scores = excluded.scores";

// evaluation, record, input, unit, scores: the input of a row that is there stays
inline constexpr char kInsertOrUpdateScoredKeepingInput[] =
    "INSERT INTO scored (evaluation_id, record_id, input, unit, scores) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO "
    "UPDATE SET unit = excluded.unit, scores = excluded.scores";

// run, protocol, judge, input: of tier judge
inline constexpr char kScoredExistsWithInput[] =
    "SELECT 1 FROM scored s JOIN evaluation e ON e.id = s.evaluation_id WHERE e.run_id = ?1 AND e.tier = 'judge' AND "
    "e.protocol_id = ?2 AND e.judge_id = ?3 AND s.input = ?4";

// evaluation -> records that are gone
inline constexpr char kScoredGoneRecords[] =
    "SELECT record_id FROM scored s WHERE evaluation_id = ?1 AND NOT EXISTS (SELECT 1 FROM record r WHERE r.id = "
    "s.record_id) AND NOT EXISTS (SELECT 1 FROM variant v WHERE v.id = -s.record_id)";

// evaluation -> record, input, unit
inline constexpr char kScoredInputsOfEvaluation[] =
    "SELECT record_id, input, unit FROM scored WHERE evaluation_id = ?1";

// run -> evaluation, record, scores, of all its evaluations of tier corpus
inline constexpr char kScoredRecordsOfCorpus[] =
    "SELECT s.evaluation_id, s.record_id, s.scores FROM evaluation e JOIN scored s ON s.evaluation_id = e.id WHERE "
    "e.run_id = ?1 AND e.tier = 'corpus'";

// evaluation -> unit, packed scores
inline constexpr char kScoredScoresOfEvaluation[] = "SELECT unit, scores FROM scored WHERE evaluation_id = ?1";

// evaluation, record -> packed scores
inline constexpr char kScoredScoresOfRecord[] = "SELECT scores FROM scored WHERE evaluation_id = ?1 AND record_id = ?2";

// evaluation, record, packed scores
inline constexpr char kUpdateScoredScores[] =
    "UPDATE scored SET scores = ?3 WHERE evaluation_id = ?1 AND record_id = ?2";

// evaluation -> record, packed scores; in order of records
inline constexpr char kScoredOfEvaluationByRecord[] =
    "SELECT record_id, scores FROM scored WHERE evaluation_id = ?1 ORDER BY record_id";

}  // namespace residue::storage::sql
