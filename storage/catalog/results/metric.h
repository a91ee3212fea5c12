// Statements on the table metric (schema.sql).
#pragma once

namespace residue::storage::sql {

// metric, run: of all its evaluations of tier corpus
inline constexpr char kDeleteMetricOfCorpus[] =
    "DELETE FROM metric WHERE metric = ?1 AND evaluation_id IN (SELECT id FROM evaluation WHERE run_id = ?2 AND tier = "
    "'corpus')";

inline constexpr char kDeleteMetricsOfEvaluation[] = "DELETE FROM metric WHERE evaluation_id = ?1";

// evaluation: there is a row with failed records
inline constexpr char kMetricFailedOfEvaluation[] = "SELECT 1 FROM metric WHERE evaluation_id = ?1 AND failed > 0";

// run, protocol, embedder: those by vectors of the other embedders
inline constexpr char kDeleteMetricsOfOtherVectors[] =
    "DELETE FROM metric WHERE evaluation_id IN (SELECT id FROM evaluation WHERE run_id = ?1 AND tier = 'vector' AND "
    "protocol_id = ?2 AND embedder_id <> ?3)";

// all columns in the order of the table
inline constexpr char kInsertMetric[] =
    "INSERT INTO metric (evaluation_id, metric, slice, value, low, high, n, failed, missing, not_applicable, "
    "if_leaked, if_private, drop_value, drop_low, drop_high, units, drop_units) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
    "?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

// evaluation, metric, slice -> value, low, high, the same of drop, if_leaked, if_private, counts as reals: n, failed,
// missing, not applicable
inline constexpr char kMetricFieldsForGates[] =
    "SELECT value, low, high, drop_value, drop_low, drop_high, if_leaked, if_private, CAST(n AS REAL), CAST(failed AS "
    "REAL), CAST(missing AS REAL), CAST(not_applicable AS REAL) FROM metric WHERE evaluation_id = ?1 AND metric = ?2 "
    "AND slice = ?3";

// evaluation -> metrics, each once
inline constexpr char kMetricIdsOfEvaluation[] = "SELECT DISTINCT metric FROM metric WHERE evaluation_id = ?1";

// run, protocol, judge, metric: whether an evaluation of tier judge has a row of it
inline constexpr char kMetricExistsOfJudge[] =
    "SELECT 1 FROM metric m JOIN evaluation e ON e.id = m.evaluation_id WHERE e.run_id = ?1 AND e.tier = 'judge' AND "
    "e.protocol_id = ?2 AND e.judge_id = ?3 AND m.metric = ?4 LIMIT 1";

inline constexpr char kMetricRowCount[] = "SELECT count(*) FROM metric";

// rows of sentiment_accuracy
inline constexpr char kMetricRowCountOfSentiment[] =
    "SELECT count(*) FROM metric m JOIN metric_definition f ON f.id = m.metric WHERE f.name = 'sentiment_accuracy'";

// dataset, metric -> slices, each once, without that of all records
inline constexpr char kMetricSlicesOfDataset[] =
    "SELECT DISTINCT m.slice FROM metric m JOIN evaluation e ON e.id = m.evaluation_id JOIN run u ON u.id = e.run_id "
    "WHERE u.dataset_id = ?1 AND m.metric = ?2 AND m.slice <> ''";

// dataset, metric -> the most records that one of its runs misses, of tier label
inline constexpr char kMetricMostMissingLabels[] =
    "SELECT coalesce(max(m.missing), 0) FROM metric m JOIN evaluation e ON e.id = m.evaluation_id JOIN run u ON u.id = "
    "e.run_id WHERE u.dataset_id = ?1 AND e.tier = 'label' AND m.metric = ?2 AND m.slice = ''";

// evaluation, metric, slice -> value, drop_value, n, failed, missing
inline constexpr char kMetricValuesAndCounts[] =
    "SELECT value, drop_value, n, failed, missing FROM metric WHERE evaluation_id = ?1 AND metric = ?2 AND slice = ?3";

// definitions, sentiment lexicon's digest -> names, values, claims content, dataset: to compare two stores
inline constexpr char kMetricsOfCurrentEvaluations[] =
    "SELECT d.name, r.name, e.tier, coalesce(p.name, ''), coalesce(p.sample, 0), coalesce(j.name, a.model, b.name, "
    "''), f.name, m.slice, m.value, m.low, m.high, m.n, m.failed, m.missing, m.not_applicable, m.if_leaked, "
    "m.if_private, m.drop_value, m.drop_low, m.drop_high, m.units, m.drop_units, e.claims_content, d.id FROM metric m "
    "JOIN evaluation e ON e.id = m.evaluation_id JOIN run r ON r.id = e.run_id JOIN dataset d ON d.id = r.dataset_id "
    "JOIN metric_definition f ON f.id = m.metric LEFT JOIN protocol p ON p.id = e.protocol_id LEFT JOIN judge j ON "
    "j.id = e.judge_id LEFT JOIN embedder b ON b.id = e.embedder_id LEFT JOIN answer_set a ON a.id = e.answer_set_id "
    "WHERE e.definitions = ?1 AND e.run_content = r.content AND e.dataset_content = d.content AND e.claims_content = "
    "(SELECT c.content FROM evaluation_content c WHERE c.evaluation_id = e.id) AND (e.tier IN ('judge', 'corpus') OR "
    "EXISTS (SELECT 1 FROM evaluation o JOIN judged_content z ON z.run_id = o.run_id AND z.protocol_id = o.protocol_id "
    "AND z.judge_id = o.judge_id WHERE o.run_id = e.run_id AND o.tier = 'judge' AND (e.tier NOT IN ('link', 'vector') "
    "OR o.protocol_id = e.protocol_id) AND (e.tier <> 'outside' OR e.judge_id IS NULL OR (o.protocol_id = "
    "e.protocol_id "
    "AND o.judge_id = e.judge_id)) AND o.definitions = ?1 AND o.run_content = r.content AND o.dataset_content = "
    "d.content AND o.claims_content = z.content)) AND (f.name <> 'sentiment_accuracy' OR e.claims_content = ?2)";

// evaluation -> all columns but the first, in the order of the table
inline constexpr char kMetricsOfEvaluation[] =
    "SELECT metric, slice, value, low, high, n, failed, missing, not_applicable, if_leaked, if_private, drop_value, "
    "drop_low, drop_high, units, drop_units FROM metric WHERE evaluation_id = ?1";

}  // namespace residue::storage::sql
