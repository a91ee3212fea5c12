// Statements on the table cut (schema.sql).
#pragma once

namespace residue::storage::sql {

// id
inline constexpr char kDeleteCut[] = "DELETE FROM cut WHERE id = ?1";

// cut; a row: a record or text that is there has a score of it
inline constexpr char kCutExistsAlive[] =
    "SELECT 1 FROM scored s JOIN packed_scores(s.scores) p WHERE p.cut = ?1 AND (EXISTS (SELECT 1 FROM record r WHERE "
    "r.id = s.record_id) OR EXISTS (SELECT 1 FROM variant v WHERE v.id = -s.record_id)) LIMIT 1";

// -> cut, of the scores of records and texts that are gone
inline constexpr char kCutsOfGone[] =
    "SELECT DISTINCT p.cut FROM scored s JOIN packed_scores(s.scores) p WHERE p.cut <> 0 AND NOT EXISTS (SELECT 1 FROM "
    "record r WHERE r.id = s.record_id) AND NOT EXISTS (SELECT 1 FROM variant v WHERE v.id = -s.record_id)";

// -> id, of those that no sum is of
inline constexpr char kCutsWithoutAggregate[] =
    "SELECT id FROM cut WHERE id NOT IN (SELECT cut FROM aggregate) ORDER BY id";

// evaluation, metric, name -> cut, where the metric has sums of it
inline constexpr char kCutOfAggregate[] =
    "SELECT c.id FROM cut c WHERE c.name = ?3 AND EXISTS (SELECT 1 FROM aggregate a WHERE a.evaluation_id = ?1 AND "
    "a.metric = ?2 AND a.cut = c.id)";

inline constexpr char kCutIdByName[] = "SELECT id FROM cut WHERE name = ?1";

inline constexpr char kCutNameById[] = "SELECT name FROM cut WHERE id = ?1";

// name; does nothing where it is known
inline constexpr char kInsertCut[] = "INSERT INTO cut (name) VALUES (?1) ON CONFLICT DO NOTHING";

}  // namespace residue::storage::sql
