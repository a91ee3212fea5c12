// Statements on the table judgment_sample (schema.sql).
#pragma once

namespace residue::storage::sql {

// judge, passage, claim
inline constexpr char kDeleteJudgmentSamplesOfPair[] =
    "DELETE FROM judgment_sample WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3";

// judge, passage, claim, sample, rating
inline constexpr char kInsertJudgmentSample[] = "INSERT INTO judgment_sample VALUES (?1, ?2, ?3, ?4, ?5)";

// -> judge, passage, claim, of all judges, each once
inline constexpr char kJudgmentSamplePairsOfAll[] =
    "SELECT DISTINCT judge_id, passage_id, claim_id FROM judgment_sample";

// judge, passage, claim -> rating, number of its samples, rating of the judgment
inline constexpr char kJudgmentSampleCountsOfPair[] =
    "SELECT rating, count(*), (SELECT rating FROM judgment m WHERE m.judge_id = ?1 AND m.passage_id = ?2 AND "
    "m.claim_id = ?3) FROM judgment_sample WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3 GROUP BY rating";

// -> 'judge #sample' twice, rating of each, passage: two samples of one pair, by judge and samples
inline constexpr char kJudgmentSamplePairsOfJudges[] =
    "SELECT j.name || ' #' || a.sample, j.name || ' #' || b.sample, a.rating, b.rating, a.passage_id FROM judge j JOIN "
    "judgment_sample a ON a.judge_id = j.id JOIN judgment_sample b ON b.judge_id = j.id AND b.passage_id = "
    "a.passage_id AND b.claim_id = a.claim_id AND b.sample > a.sample ORDER BY j.name, a.sample, b.sample";

// judge, passage, claim -> sample, rating; by sample
inline constexpr char kJudgmentSamplesOfPair[] =
    "SELECT sample, rating FROM judgment_sample WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3 ORDER BY "
    "sample";

// judge, passage, claim, sample -> rating
inline constexpr char kJudgmentSampleRating[] =
    "SELECT rating FROM judgment_sample WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3 AND sample = ?4";

}  // namespace residue::storage::sql
