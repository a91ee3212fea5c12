// Statements for the worst leaks of a run, which are found without reading all of them (schema.sql).
#pragma once

namespace residue::storage::sql {

// evaluation -> record, packed scores; in order of records
inline constexpr char kScoredOfEvaluationByRecord[] =
    "SELECT record_id, scores FROM scored WHERE evaluation_id = ?1 ORDER BY record_id";

// run -> records of its dataset, in order of their keys
inline constexpr char kRecordsOfRunByKey[] =
    "SELECT id FROM record WHERE dataset_id = (SELECT dataset_id FROM run WHERE id = ?1) ORDER BY key";

// Behind kLinkLeaksOfRun (link.h), which ends in conditions: those of record ?4 alone
inline constexpr char kAndOfRecord[] = " AND l.record_id = ?4";

// evaluation, metric -> records whose value failed, of the whole; NULL where there are no sums
inline constexpr char kAggregateFailed[] =
    "SELECT sum(failed) FROM aggregate WHERE evaluation_id = ?1 AND metric = ?2 AND cut = 0";

// aligned run, the empty text -> records with an original that have no text in the run, but for texts that are empty
inline constexpr char kRecordCountWithoutTextInRun[] =
    "SELECT count(*) FROM record r WHERE r.dataset_id = (SELECT dataset_id FROM run WHERE id = ?1) AND r.text_id <> ?2 "
    "AND NOT EXISTS (SELECT 1 FROM variant v WHERE v.run_id = ?1 AND v.record_id = r.id AND (v.text_id IS NOT NULL OR "
    "v.error = 'empty'))";

}  // namespace residue::storage::sql
