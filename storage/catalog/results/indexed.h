// Statements on the table indexed (schema.sql).
#pragma once

namespace residue::storage::sql {

// -> run, segment: with a text that no record, run or claim has now
inline constexpr char kIndexedOutdated[] =
    "SELECT DISTINCT run_id, segment_id FROM indexed WHERE text_id NOT IN (SELECT text_id FROM record UNION SELECT "
    "text_id FROM variant WHERE text_id IS NOT NULL UNION SELECT text_id FROM claim UNION SELECT text_id FROM "
    "run_claim)";

// run, analyzer -> candidate, segment, text
inline constexpr char kIndexedOfRunByAnalyzer[] =
    "SELECT candidate_id, segment_id, text_id FROM indexed WHERE run_id = ?1 AND analyzer = ?2";

// run, analyzer, candidate, segment, text
inline constexpr char kInsertIndexed[] = "INSERT INTO indexed VALUES (?1, ?2, ?3, ?4, ?5)";

}  // namespace residue::storage::sql
