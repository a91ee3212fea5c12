// Statements on the table indexed (schema.sql).
#pragma once

namespace residue::storage::sql {

// -> run, segment, text; of all
inline constexpr char kIndexedOfAll[] = "SELECT run_id, segment_id, text_id FROM indexed";

// run, analyzer -> candidate, segment, text
inline constexpr char kIndexedOfRunByAnalyzer[] =
    "SELECT candidate_id, segment_id, text_id FROM indexed WHERE run_id = ?1 AND analyzer = ?2";

// run, analyzer, candidate, segment, text
inline constexpr char kInsertIndexed[] = "INSERT INTO indexed VALUES (?1, ?2, ?3, ?4, ?5)";

}  // namespace residue::storage::sql
