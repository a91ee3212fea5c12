// Statements on the table metric_history (schema.sql).
#pragma once

namespace residue::storage::sql {

// evaluation, time, metric, value, low, high, n, failed, missing
inline constexpr char kInsertMetricHistory[] =
    "INSERT INTO metric_history (evaluation_id, at, metric, value, low, high, n, failed, missing) VALUES (?1, ?2, ?3, "
    "?4, ?5, ?6, ?7, ?8, ?9)";

// dataset's name ('': any)
inline constexpr char kMetricHistoryExists[] =
    "SELECT 1 FROM metric_history h JOIN evaluation e ON e.id = h.evaluation_id JOIN run u ON u.id = e.run_id JOIN "
    "dataset d ON d.id = u.dataset_id WHERE ?1 = '' OR d.name = ?1 LIMIT 1";

// evaluation, metric -> value, n, failed, missing
inline constexpr char kMetricHistoryLatest[] =
    "SELECT value, n, failed, missing FROM metric_history WHERE evaluation_id = ?1 AND metric = ?2 ORDER BY id DESC "
    "LIMIT 1";

// dataset's name ('': all) -> time, names, values, counts, evaluation, metric; oldest first
inline constexpr char kMetricHistoryOfDataset[] =
    "SELECT h.at, d.name, u.name, p.name, p.sample, coalesce(j.name, a.model, b.name), f.name, h.value, h.low, h.high, "
    "h.n, h.failed, h.missing, h.evaluation_id, h.metric FROM metric_history h JOIN evaluation e ON e.id = "
    "h.evaluation_id JOIN run u ON u.id = e.run_id JOIN dataset d ON d.id = u.dataset_id JOIN metric_definition f ON "
    "f.id = h.metric LEFT JOIN protocol p ON p.id = e.protocol_id LEFT JOIN judge j ON j.id = e.judge_id LEFT JOIN "
    "answer_set a ON a.id = e.answer_set_id LEFT JOIN embedder b ON b.id = e.embedder_id WHERE ?1 = '' OR d.name = ?1 "
    "ORDER BY h.at, h.id";

}  // namespace residue::storage::sql
