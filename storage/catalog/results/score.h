// Statements on the view score (schema.sql).
#pragma once

namespace residue::storage::sql {

// evaluation, metric -> names of its cuts, each once, in order
inline constexpr char kScoreCutNames[] =
    "SELECT DISTINCT c.name FROM score s JOIN cut c ON c.id = s.cut WHERE s.evaluation_id = ?1 AND s.metric = ?2 ORDER "
    "BY c.name";

// evaluation, metric, cut's name ('': the whole) -> record, unit, state, num, den, best, by record
inline constexpr char kScoresOfCutByRecord[] =
    "SELECT record_id, unit, state, num, den, best FROM score WHERE evaluation_id = ?1 AND metric = ?2 AND cut = CASE ?3 "
    "WHEN '' THEN 0 ELSE (SELECT id FROM cut WHERE name = ?3) END ORDER BY record_id";

// evaluation, metric -> unit, slice, state, num, den, best, of the whole, in the order of records
inline constexpr char kScoresOfWholeByRecord[] =
    "SELECT unit, slice, state, num, den, best FROM score WHERE evaluation_id = ?1 AND metric = ?2 AND cut = 0 ORDER "
    "BY record_id";

}  // namespace residue::storage::sql
