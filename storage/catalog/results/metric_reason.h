// Statements on the table metric_reason (schema.sql).
#pragma once

namespace residue::storage::sql {

// metric, run: of all its evaluations of tier corpus
inline constexpr char kDeleteMetricReasonOfCorpus[] =
    "DELETE FROM metric_reason WHERE metric = ?1 AND evaluation_id IN (SELECT id FROM evaluation WHERE run_id = ?2 AND "
    "tier = 'corpus')";

inline constexpr char kDeleteMetricReasonsOfEvaluation[] = "DELETE FROM metric_reason WHERE evaluation_id = ?1";

// evaluation, metric, reason
inline constexpr char kInsertMetricReason[] =
    "INSERT INTO metric_reason (evaluation_id, metric, reason) VALUES (?1, ?2, ?3)";

inline constexpr char kMetricReason[] = "SELECT reason FROM metric_reason WHERE evaluation_id = ?1 AND metric = ?2";

}  // namespace residue::storage::sql
