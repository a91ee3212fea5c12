// Statements on the table aggregate (schema.sql).
#pragma once

namespace residue::storage::sql {

// evaluation -> metric, slice, counts, sums, replicates, name of the cut (NULL: the whole), unknown
inline constexpr char kAggregatesOfEvaluation[] =
    "SELECT metric, slice, n, failed, missing, not_applicable, num, den, lost_num, lost_best, lost_den, replicates, "
    "c.name, unknown FROM aggregate LEFT JOIN cut c ON c.id = cut WHERE evaluation_id = ?1";

inline constexpr char kDeleteAggregatesOfEvaluation[] = "DELETE FROM aggregate WHERE evaluation_id = ?1";

// evaluation, metric, cut: of all slices
inline constexpr char kDeleteAggregatesOfMetricCut[] =
    "DELETE FROM aggregate WHERE evaluation_id = ?1 AND metric = ?2 AND cut = ?3";

// all columns in the order of the table; replaces the row that is there
inline constexpr char kInsertAggregate[] =
    "INSERT OR REPLACE INTO aggregate VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";

// evaluation, metric -> records whose value failed, of the whole; NULL where there are no sums
inline constexpr char kAggregateFailed[] =
    "SELECT sum(failed) FROM aggregate WHERE evaluation_id = ?1 AND metric = ?2 AND cut = 0";

}  // namespace residue::storage::sql
