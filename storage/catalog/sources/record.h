// Statements on the table record (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteRecord[] = "DELETE FROM record WHERE id = ?1";

// dataset, key, text, person, label, task, meta; does nothing where the key is there
inline constexpr char kInsertRecord[] =
    "INSERT INTO record (dataset_id, key, text_id, person, label, task_id, meta_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, "
    "?7) ON CONFLICT (dataset_id, key) DO NOTHING";

// dataset, key, text, person, label, task
inline constexpr char kInsertRecordWithoutMeta[] =
    "INSERT INTO record (dataset_id, key, text_id, person, label, task_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

// dataset -> persons, records that nobody said whose they are
inline constexpr char kPersonAndNobodysRecordCountOfDataset[] =
    "SELECT count(DISTINCT person), count(*) - count(person) FROM record WHERE dataset_id = ?1";

// two datasets -> ids that both have, persons that both name
inline constexpr char kRecordKeysAndPersonsOfBoth[] =
    "SELECT (SELECT count(*) FROM (SELECT key FROM record WHERE dataset_id = ?1 INTERSECT SELECT key FROM record WHERE "
    "dataset_id = ?2)), (SELECT count(*) FROM (SELECT person FROM record WHERE dataset_id = ?1 AND person IS NOT NULL "
    "INTERSECT SELECT person FROM record WHERE dataset_id = ?2))";

// dataset -> records, persons
inline constexpr char kRecordAndPersonCountOfDataset[] =
    "SELECT count(*), count(DISTINCT person) FROM record WHERE dataset_id = ?1";

// dataset, empty text -> records, of which: whose text another record has (empty texts aside), whose person has
// several; such persons
inline constexpr char kRecordRepeats[] =
    "SELECT (SELECT count(*) FROM record WHERE dataset_id = ?1), (SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS "
    "n "
    "FROM record WHERE dataset_id = ?1 AND text_id != ?2 GROUP BY text_id HAVING n > 1)), coalesce(sum(n), 0), "
    "count(n) "
    "FROM (SELECT count(*) AS n FROM record WHERE dataset_id = ?1 AND person IS NOT NULL GROUP BY person HAVING n > 1)";

// dataset, key -> id
inline constexpr char kRecordByKey[] = "SELECT id FROM record WHERE dataset_id = ?1 AND key = ?2";

// dataset, key -> id, text, person, label, task, meta
inline constexpr char kRecordByKeyWithAllFields[] =
    "SELECT id, text_id, person, label, task_id, meta_id FROM record WHERE dataset_id = ?1 AND key = ?2";

// dataset, key -> id, task, text
inline constexpr char kRecordByKeyWithTask[] =
    "SELECT id, task_id, text_id FROM record WHERE dataset_id = ?1 AND key = ?2";

// dataset, key -> id, text
inline constexpr char kRecordByKeyWithText[] = "SELECT id, text_id FROM record WHERE dataset_id = ?1 AND key = ?2";

// dataset, run, key -> text, variant's text, substitutions, spans
inline constexpr char kRecordByKeyWithVariant[] =
    "SELECT r.text_id, v.text_id, v.substitutions_id, v.spans_id FROM record r LEFT JOIN variant v ON v.run_id = ?2 "
    "AND v.record_id = r.id WHERE r.dataset_id = ?1 AND r.key = ?3";

// dataset -> id, label; of those that have one
inline constexpr char kRecordLabelsOfDataset[] =
    "SELECT id, label FROM record WHERE dataset_id = ?1 AND label IS NOT NULL";

inline constexpr char kRecordCountOfDataset[] = "SELECT count(*) FROM record WHERE dataset_id = ?1";

inline constexpr char kRecordCountOfDatasetByName[] =
    "SELECT count(*) FROM record JOIN dataset ON dataset.id = dataset_id WHERE name = ?1";

// run -> records of its dataset
inline constexpr char kRecordCountOfRunsDataset[] =
    "SELECT count(*) FROM record WHERE dataset_id = (SELECT dataset_id FROM run WHERE id = ?1)";

// dataset, claim set, most -> records, those without claims, those with one to most claims
inline constexpr char kRecordCountsByNumberOfClaims[] =
    "SELECT count(*), count(*) FILTER (WHERE claims = 0), count(*) FILTER (WHERE claims BETWEEN 1 AND ?3) FROM (SELECT "
    "(SELECT count(*) FROM claim WHERE claim_set_id = ?2 AND record_id = record.id) AS claims FROM record WHERE "
    "dataset_id = ?1)";

// dataset, key -> a row if there is one
inline constexpr char kRecordExistsByKey[] = "SELECT 1 FROM record WHERE dataset_id = ?1 AND key = ?2";

// dataset -> keys, at most 20000
inline constexpr char kRecordFirstKeysInOrder[] =
    "SELECT key FROM record WHERE dataset_id = ?1 ORDER BY key LIMIT 20000";

// dataset -> id, key; in no order
inline constexpr char kRecordKeysOfDataset[] = "SELECT id, key FROM record WHERE dataset_id = ?1";

// dataset -> greatest key that is a number; 0: there is none
inline constexpr char kRecordHighestNumberAsKey[] =
    "SELECT coalesce(max(CAST(key AS INTEGER)), 0) FROM record WHERE dataset_id = ?1 AND key NOT GLOB '*[^0-9]*' AND "
    "length(key) < 18";

// dataset, id before the page, at most -> id, key; by id
inline constexpr char kRecordPageWithKey[] =
    "SELECT id, key FROM record WHERE dataset_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3";

// dataset, run, id before the page, at most -> id, text, task, run's text, substitutions
inline constexpr char kRecordPageWithTextOfRun[] =
    "SELECT r.id, r.text_id, r.task_id, CASE u.kind WHEN 'aligned' THEN v.text_id WHEN 'none' THEN r.text_id END, "
    "v.substitutions_id FROM record r JOIN run u ON u.id = ?2 LEFT JOIN variant v ON v.run_id = u.id AND v.record_id = "
    "r.id WHERE r.dataset_id = ?1 AND r.id > ?3 ORDER BY r.id LIMIT ?4";

// dataset, id before the page, at most, run -> id, text, key, variant's text, why it has none
inline constexpr char kRecordPageWithVariant[] =
    "SELECT r.id, r.text_id, r.key, v.text_id, coalesce(v.error, 'no text'), r.person FROM record r LEFT JOIN variant "
    "v ON "
    "v.run_id = ?4 AND v.record_id = r.id WHERE r.dataset_id = ?1 AND r.id > ?2 ORDER BY r.id LIMIT ?3";

// record -> claims of all sets, variants, links, labels, answers, attempts on it, attempts on others that named it
inline constexpr char kRecordCountsOfWhatIsItsOwn[] =
    "SELECT (SELECT count(*) FROM claim WHERE record_id = ?1), (SELECT count(*) FROM variant WHERE record_id = ?1), "
    "(SELECT count(*) FROM link WHERE record_id = ?1), (SELECT count(*) FROM label WHERE record_id = ?1), (SELECT "
    "count(*) FROM task_answer WHERE record_id = ?1), (SELECT count(*) FROM intruder_attempt WHERE record_id = ?1), "
    "(SELECT count(*) FROM intruder_attempt WHERE chosen_id = ?1 AND record_id <> ?1)";

// dataset, empty text -> texts that several records without a person have (but the empty one), smallest key of each
inline constexpr char kRecordFirstKeysOfCopies[] =
    "SELECT text_id, min(key) FROM record WHERE dataset_id = ?1 AND person IS NULL AND text_id != ?2 GROUP BY text_id "
    "HAVING count(*) > 1";

// record -> key
inline constexpr char kRecordKeyById[] = "SELECT key FROM record WHERE id = ?1";

// record -> person, label, text
inline constexpr char kRecordPersonLabelAndText[] = "SELECT person, label, text_id FROM record WHERE id = ?1";

// dataset -> id, key, text
inline constexpr char kRecordKeysAndTextsOfDataset[] = "SELECT id, key, text_id FROM record WHERE dataset_id = ?1";

inline constexpr char kRecordTextsOfDataset[] = "SELECT text_id FROM record WHERE dataset_id = ?1";

// Every text that a column of any table names, each once; a column that is new must be added here
inline constexpr char kRecordTextsWithAllOtherTexts[] =
    "SELECT text_id FROM record UNION SELECT task_id FROM record WHERE task_id IS NOT NULL UNION SELECT meta_id FROM "
    "record WHERE meta_id IS NOT NULL UNION SELECT text_id FROM claim UNION SELECT subject_id FROM label UNION SELECT "
    "payload_id FROM label UNION SELECT text_id FROM variant WHERE text_id IS NOT NULL UNION SELECT substitutions_id "
    "FROM variant WHERE substitutions_id IS NOT NULL UNION SELECT spans_id FROM variant WHERE spans_id IS NOT NULL "
    "UNION SELECT text_id FROM run_claim UNION SELECT text_id FROM auxiliary_query UNION SELECT answer_id FROM "
    "task_answer WHERE answer_id IS NOT NULL";

// dataset, run name, each NULL: any -> text, dataset name, 'none', key; nothing of other runs than 'none'
inline constexpr char kRecordTextsWithNames[] =
    "SELECT r.text_id, d.name, 'none', r.key FROM record r JOIN dataset d ON d.id = r.dataset_id WHERE (?1 IS NULL OR "
    "d.name = ?1) AND (?2 IS NULL OR ?2 = 'none') ORDER BY d.name, r.key";

// dataset, person -> keys, in order
inline constexpr char kRecordKeysOfPerson[] =
    "SELECT key FROM record WHERE dataset_id = ?1 AND person = ?2 ORDER BY key";

// dataset -> id, key, text, person
inline constexpr char kRecordsInIdOrderWithPerson[] =
    "SELECT id, key, text_id, person FROM record WHERE dataset_id = ?1 ORDER BY id";

// dataset -> key, text, person, label, task
inline constexpr char kRecordsInIdOrderWithTask[] =
    "SELECT key, text_id, person, label, task_id FROM record WHERE dataset_id = ?1 ORDER BY id";

// dataset -> id, key, text, person, label, task
inline constexpr char kRecordsInKeyOrder[] =
    "SELECT id, key, text_id, person, label, task_id FROM record WHERE dataset_id = ?1 ORDER BY key";

// dataset, run, model, task -> id, key, person, text, task, run's text, failed, about, answer, substitutions, whether
// an empty text of the run is a failure
inline constexpr char kRecordsWithAnswerAboutRun[] =
    "SELECT r.id, r.key, r.person, r.text_id, coalesce(r.task_id, 0), coalesce(CASE u.kind WHEN 'aligned' THEN "
    "v.text_id WHEN 'none' THEN r.text_id END, 0), u.kind = 'aligned' AND v.text_id IS NULL, a.about, a.answer_id, "
    "coalesce(v.substitutions_id, 0), u.kind = 'aligned' AND NOT u.removes_everything FROM record r JOIN run u ON u.id "
    "= ?2 LEFT JOIN variant v ON v.run_id = u.id AND v.record_id = r.id LEFT JOIN task_answer a ON a.run_id = u.id AND "
    "a.model = ?3 AND a.task = ?4 AND a.record_id = r.id WHERE r.dataset_id = ?1 ORDER BY r.id";

// dataset, synthetic run, model, task -> as above, of the run's texts: minus the variant's id, key, NULL, 0, 0, text,
// failed, about, answer, 0, 0
inline constexpr char kTextsWithAnswerAboutRun[] =
    "SELECT -v.id, v.key, NULL, 0, 0, coalesce(v.text_id, 0), v.text_id IS NULL, a.about, a.answer_id, 0, 0 FROM "
    "variant v LEFT JOIN task_answer a ON a.run_id = v.run_id AND a.model = ?3 AND a.task = ?4 AND a.record_id = -v.id "
    "WHERE "
    "v.run_id = ?2 ORDER BY v.id DESC";

// record, text, person, label, task, meta
inline constexpr char kUpdateRecord[] =
    "UPDATE record SET text_id = ?2, person = ?3, label = ?4, task_id = ?5, meta_id = ?6 WHERE id = ?1";

// run -> records of its dataset, in order of their keys
inline constexpr char kRecordsOfRunByKey[] =
    "SELECT id FROM record WHERE dataset_id = (SELECT dataset_id FROM run WHERE id = ?1) ORDER BY key";

// aligned run, the empty text -> records with an original that have no text in the run, but for texts that are empty
inline constexpr char kRecordCountWithoutTextInRun[] =
    "SELECT count(*) FROM record r WHERE r.dataset_id = (SELECT dataset_id FROM run WHERE id = ?1) AND r.text_id <> ?2 "
    "AND NOT EXISTS (SELECT 1 FROM variant v WHERE v.run_id = ?1 AND v.record_id = r.id AND (v.text_id IS NOT NULL OR "
    "v.error = 'empty'))";

}  // namespace residue::storage::sql
