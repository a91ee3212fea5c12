// Statements on the table variant (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteVariant[] = "DELETE FROM variant WHERE id = ?1";

// run, record, key, text, error, substitutions, spans; does nothing where it is there
inline constexpr char kInsertVariant[] =
    "INSERT INTO variant (run_id, record_id, key, text_id, error, substitutions_id, spans_id) VALUES (?1, ?2, ?3, ?4, "
    "?5, ?6, ?7) ON CONFLICT DO NOTHING";

// run, record, chosen or NULL, present -> outcome of an answer, as the view `intruder` has it
inline constexpr char kIntruderOutcome[] =
    "SELECT CASE WHEN ?4 = 0 THEN iif(?3 IS NULL, 'rightly none', 'wrong') WHEN (SELECT kind FROM run WHERE id = ?1) = "
    "'aligned' AND NOT EXISTS (SELECT 1 FROM variant WHERE run_id = ?1 AND record_id = ?2 AND text_id IS NOT NULL) "
    "THEN "
    "'failed' WHEN ?3 IS NULL THEN 'none' WHEN ?3 = ?2 THEN 'right' WHEN EXISTS (SELECT 1 FROM record r JOIN record o "
    "ON o.person = r.person OR o.text_id = r.text_id WHERE r.id = ?2 AND o.id = ?3) THEN 'person' ELSE 'wrong' END";

// variant, text, error, substitutions, spans
inline constexpr char kUpdateVariant[] =
    "UPDATE variant SET text_id = ?2, error = ?3, substitutions_id = ?4, spans_id = ?5 WHERE id = ?1";

// run -> a row if any of its variants says its spans
inline constexpr char kVariantAnyOfRunWithSpans[] =
    "SELECT 1 FROM variant WHERE run_id = ?1 AND spans_id IS NOT NULL LIMIT 1";

// run -> a row if any of its variants says its substitutions
inline constexpr char kVariantAnyOfRunWithSubstitutions[] =
    "SELECT 1 FROM variant WHERE run_id = ?1 AND substitutions_id IS NOT NULL LIMIT 1";

// -, synthetic run, variant before the page, at most -> variant, 0, NULL, text, NULL: as kRecordPageWithTextOfRun
inline constexpr char kTextPageOfSyntheticRun[] =
    "SELECT v.id, 0, NULL, v.text_id, NULL FROM variant v WHERE +v.run_id = ?2 AND v.id > ?3 ORDER BY v.id LIMIT ?4";

// variant -> key
inline constexpr char kVariantKeyById[] = "SELECT key FROM variant WHERE id = ?1";

// variant -> text
inline constexpr char kVariantTextById[] = "SELECT text_id FROM variant WHERE id = ?1";

// run, key -> id, text, error, substitutions, spans
inline constexpr char kVariantByKey[] =
    "SELECT id, text_id, error, substitutions_id, spans_id FROM variant WHERE run_id = ?1 AND key = ?2";

// run, record -> id, text, error, substitutions, spans
inline constexpr char kVariantByRecord[] =
    "SELECT id, text_id, error, substitutions_id, spans_id FROM variant WHERE run_id = ?1 AND record_id = ?2";

// of all runs
inline constexpr char kVariantCountOfDataset[] =
    "SELECT count(*) FROM variant WHERE run_id IN (SELECT id FROM run WHERE dataset_id = ?1)";

// run -> variants whose text is that of their record
inline constexpr char kVariantCountOfRunAsOriginal[] =
    "SELECT count(*) FROM variant v JOIN record r ON r.id = v.record_id AND r.text_id = v.text_id WHERE v.run_id = ?1";

// with failed ones
inline constexpr char kVariantCountOfRun[] = "SELECT count(*) FROM variant WHERE run_id = ?1";

// without failed ones
inline constexpr char kVariantCountOfRunWithText[] =
    "SELECT count(*) FROM variant WHERE run_id = ?1 AND text_id IS NOT NULL";

// run, text
inline constexpr char kVariantCountOfRunWithThisText[] =
    "SELECT count(*) FROM variant WHERE run_id = ?1 AND text_id = ?2";

// run -> run's kind, variants, failed, failed as empty, records of its dataset
inline constexpr char kVariantCountsOfRunByFailure[] =
    "SELECT (SELECT kind FROM run WHERE id = ?1), count(*), count(*) FILTER (WHERE text_id IS NULL), count(*) FILTER "
    "(WHERE text_id IS NULL AND error = 'empty'), (SELECT count(*) FROM record WHERE dataset_id = (SELECT dataset_id "
    "FROM run WHERE id = ?1)) FROM variant WHERE run_id = ?1";

// run, run claim set -> variants, failed ones, those without claims (failed ones too)
inline constexpr char kVariantCountsOfRunLackingClaims[] =
    "SELECT count(*), count(*) FILTER (WHERE text_id IS NULL), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM "
    "run_claim c WHERE c.set_id = ?2 AND c.variant_id = v.id)) FROM variant v WHERE run_id = ?1";

// run, record -> error, '' where there is none
inline constexpr char kVariantErrorOfRecord[] =
    "SELECT coalesce(error, '') FROM variant WHERE run_id = ?1 AND record_id = ?2";

// run -> error ('': none said), failed variants; the five most frequent
inline constexpr char kVariantErrorsOfRun[] =
    "SELECT coalesce(error, ''), count(*) FROM variant WHERE run_id = ?1 AND text_id IS NULL GROUP BY 1 ORDER BY 2 "
    "DESC, 1 LIMIT 5";

// run -> greatest key that is a number; NULL: there is none
inline constexpr char kVariantHighestNumberAsKey[] =
    "SELECT max(CAST(key AS INTEGER)) FROM variant WHERE run_id = ?1 AND key NOT GLOB '*[^0-9]*' AND length(key) < 18";

// run, id before the page, at most -> id, text, key, spans; the + keeps SQLite on the ids, so it need not sort
inline constexpr char kVariantPageWithKey[] =
    "SELECT v.id, v.text_id, coalesce(r.key, v.key), v.spans_id FROM variant v LEFT JOIN record r ON r.id = "
    "v.record_id WHERE "
    "+v.run_id = ?1 AND v.id > ?2 ORDER BY v.id LIMIT ?3";

// run -> record, whether it failed, spans or 0; by record
inline constexpr char kVariantSpansOfRun[] =
    "SELECT record_id, text_id IS NULL, coalesce(spans_id, 0) FROM variant WHERE run_id = ?1 ORDER BY record_id";

// run, record -> substitutions; no row where nobody said any
inline constexpr char kVariantSubstitutionsOfRecord[] =
    "SELECT substitutions_id FROM variant WHERE run_id = ?1 AND record_id = ?2 AND substitutions_id IS NOT NULL";

// dataset, whether of a run, run -> whether the run kept substitutions, else the dataset has span labels
inline constexpr char kVariantSubstitutionsOrLabelSpansExist[] =
    "SELECT CASE WHEN ?2 THEN EXISTS (SELECT 1 FROM variant WHERE run_id = ?3 AND substitutions_id IS NOT NULL) ELSE "
    "EXISTS (SELECT 1 FROM label WHERE dataset_id = ?1 AND kind = 'span') END";

// run, record -> text, substitutions
inline constexpr char kVariantTextAndSubstitutionsOfRecord[] =
    "SELECT text_id, substitutions_id FROM variant WHERE run_id = ?1 AND record_id = ?2";

// run, record, key -> text; the record of aligned runs, the key of synthetic ones
inline constexpr char kVariantTextByRecordOrKey[] =
    "SELECT text_id FROM variant WHERE run_id = ?1 AND (record_id = ?2 OR key = ?3)";

// dataset, run name, record -> run's kind, its text of the record; of 'none' the original
inline constexpr char kVariantTextByRunNameWithKind[] =
    "SELECT u.kind, CASE u.kind WHEN 'none' THEN (SELECT text_id FROM record WHERE id = ?3) ELSE (SELECT v.text_id "
    "FROM variant v WHERE v.run_id = u.id AND v.record_id = ?3) END FROM run u WHERE u.dataset_id = ?1 AND u.name = ?2";

// run, record -> text
inline constexpr char kVariantTextOfRecord[] = "SELECT text_id FROM variant WHERE run_id = ?1 AND record_id = ?2";

// run, record -> text (NULL: failed or no variant), run's kind
inline constexpr char kVariantTextOfRecordWithRunKind[] =
    "SELECT v.text_id, r.kind FROM run r LEFT JOIN variant v ON v.run_id = r.id AND v.record_id = ?2 WHERE r.id = ?1";

// run, least different originals, at most -> text, variants; texts of several records, most frequent first
inline constexpr char kVariantTextsOfManyRecords[] =
    "SELECT v.text_id, count(*) FROM variant v JOIN record r ON r.id = v.record_id WHERE v.run_id = ?1 AND v.text_id "
    "IS NOT NULL GROUP BY v.text_id HAVING count(DISTINCT r.text_id) >= ?2 ORDER BY count(*) DESC, v.text_id LIMIT ?3";

// without failed ones
inline constexpr char kVariantTextsOfRun[] = "SELECT text_id FROM variant WHERE run_id = ?1 AND text_id IS NOT NULL";

// run, the empty text -> record, its original, text; without failed and empty ones
inline constexpr char kVariantTextsOfRunWithOriginals[] =
    "SELECT v.record_id, r.text_id, v.text_id FROM variant v JOIN record r ON r.id = v.record_id WHERE v.run_id = ?1 "
    "AND v.text_id IS NOT NULL AND v.text_id <> ?2 AND v.text_id <> 0";

// dataset, run name, each NULL: any -> text, dataset name, run name, key; in order of the names
inline constexpr char kVariantTextsWithNames[] =
    "SELECT v.text_id, d.name, u.name, coalesce(r.key, v.key) AS k FROM variant v JOIN run u ON u.id = v.run_id JOIN "
    "dataset d ON d.id = u.dataset_id LEFT JOIN record r ON r.id = v.record_id WHERE v.text_id IS NOT NULL AND (?1 IS "
    "NULL OR d.name = ?1) AND (?2 IS NULL OR u.name = ?2) ORDER BY d.name, u.name, k";

// run -> id, record, key, text, whether it failed as empty, spans or 0
inline constexpr char kVariantsInIdOrder[] =
    "SELECT id, record_id, key, text_id, error = 'empty', coalesce(spans_id, 0) FROM variant WHERE run_id = ?1 ORDER "
    "BY "
    "id";

// run -> record, key (synthetic runs), text, error, id, substitutions, spans; by record key, else own key
inline constexpr char kVariantsInKeyOrder[] =
    "SELECT v.record_id, v.key, v.text_id, v.error, v.id, v.substitutions_id, v.spans_id FROM variant v LEFT JOIN "
    "record r "
    "ON r.id = v.record_id WHERE v.run_id = ?1 ORDER BY coalesce(r.key, v.key)";

// dataset, record -> run, kind, has variant, text, error, removes_everything, run's id; by run, controls last
inline constexpr char kVariantsOfRecordInAllRuns[] =
    "SELECT u.name, u.kind, v.id IS NOT NULL, v.text_id, coalesce(v.error, ''), u.removes_everything, u.id FROM run u "
    "LEFT "
    "JOIN variant v ON v.run_id = u.id AND v.record_id = ?2 WHERE u.dataset_id = ?1 ORDER BY u.kind IN ('none', "
    "'remove-all'), u.name";

// run -> id, key, text, substitutions; the key of synthetic runs, in no order
inline constexpr char kVariantsOfRun[] =
    "SELECT id, key, text_id, substitutions_id, spans_id FROM variant WHERE run_id = ?1";

}  // namespace residue::storage::sql
