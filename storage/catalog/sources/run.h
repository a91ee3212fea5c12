// Statements on the table run (schema.sql).
#pragma once

namespace residue::storage::sql {

// dataset -> names of synthetic runs, in order
inline constexpr char kRunNamesOfSynthetic[] =
    "SELECT name FROM run WHERE dataset_id = ?1 AND kind = 'synthetic' ORDER BY name";

inline constexpr char kDeleteRun[] = "DELETE FROM run WHERE id = ?1";

// dataset, name, kind, removes_everything, sanitizer, params, seed, group, content, created_at
inline constexpr char kInsertRun[] =
    "INSERT INTO run (dataset_id, name, kind, removes_everything, sanitizer, params, seed, grp, content, created_at) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";

// dataset, name (it is the kind, too), removes_everything, content, created_at
inline constexpr char kInsertRunOfControl[] =
    "INSERT INTO run (dataset_id, name, kind, removes_everything, content, created_at) VALUES (?1, ?2, ?2, ?3, ?4, ?5)";

// dataset, name, kind, removes_everything, content, created_at, texts_are_meant
inline constexpr char kInsertRunWithoutSpec[] =
    "INSERT INTO run (dataset_id, name, kind, removes_everything, content, created_at, texts_are_meant) VALUES (?1, "
    "?2, "
    "?3, ?4, ?5, ?6, ?7)";

// dataset, name -> id
inline constexpr char kRunByName[] = "SELECT id FROM run WHERE dataset_id = ?1 AND name = ?2";

// dataset, name -> id, kind, removes_everything, content, substitutions
inline constexpr char kRunByNameWithContent[] =
    "SELECT id, kind, removes_everything, content, substitutions, texts_are_meant FROM run WHERE dataset_id = ?1 AND "
    "name = ?2";

// run -> content, substitutions
inline constexpr char kRunContentAndSubstitutions[] = "SELECT content, substitutions FROM run WHERE id = ?1";

// dataset, name -> id, kind
inline constexpr char kRunByNameWithKind[] = "SELECT id, kind FROM run WHERE dataset_id = ?1 AND name = ?2";

// run -> content, removes_everything, whether equal texts for different originals are what the sanitizer meant: the
// user says so, or it is one of ours that asks no program
inline constexpr char kRunContentAndRemovesEverything[] =
    "SELECT content, removes_everything, texts_are_meant OR (made_from IS NOT NULL AND sanitizer <> 'command') FROM "
    "run "
    "WHERE id = ?1";

inline constexpr char kAlignedRunsOfStore[] = "SELECT id FROM run WHERE kind = 'aligned'";

// without the controls
inline constexpr char kRunCountOfDataset[] =
    "SELECT count(*) FROM run WHERE dataset_id = ?1 AND kind NOT IN ('none', 'remove-all')";

// dataset, name -> a row if there is one
inline constexpr char kRunExistsByName[] = "SELECT 1 FROM run WHERE dataset_id = ?1 AND name = ?2";

inline constexpr char kRunIdsInOrder[] = "SELECT id FROM run WHERE dataset_id = ?1 ORDER BY id";

// dataset, run name, params -> 1: made with these params from the dataset's content as it is now
inline constexpr char kRunIsMadeOfDatasetWithParams[] =
    "SELECT params = ?3 AND made_from IS (SELECT content FROM dataset WHERE id = ?1) FROM run WHERE dataset_id = ?1 "
    "AND name = ?2";

// dataset, name -> whether it is synthetic
inline constexpr char kRunIsSyntheticByName[] =
    "SELECT kind = 'synthetic' FROM run WHERE dataset_id = ?1 AND name = ?2";

inline constexpr char kRunKind[] = "SELECT kind FROM run WHERE id = ?1";

// dataset, name -> kind, sanitizer, params
inline constexpr char kRunKindAndSanitizerByName[] =
    "SELECT kind, sanitizer, params FROM run WHERE dataset_id = ?1 AND name = ?2";

// with the controls
inline constexpr char kRunNamesInOrder[] = "SELECT name FROM run WHERE dataset_id = ?1 ORDER BY name";

// in no order; with the controls
inline constexpr char kRunNamesOfDataset[] = "SELECT name FROM run WHERE dataset_id = ?1";

// -> dataset name, run name, dataset id; in no order
inline constexpr char kRunNamesOfStore[] =
    "SELECT d.name, u.name, d.id FROM run u JOIN dataset d ON d.id = u.dataset_id";

// dataset, whether to ask about 'none', whether about synthetic runs -> names of aligned runs and of these, in order
inline constexpr char kRunNamesOfTextsToAskAbout[] =
    "SELECT name FROM run WHERE dataset_id = ?1 AND (kind = 'aligned' OR (kind = 'none' AND ?2) OR (kind = 'synthetic' "
    "AND ?3)) ORDER BY name";

// dataset -> name, kind, sanitizer, group, params, seed, variants, failed ones, id; by name, controls last
inline constexpr char kRunsForCard[] =
    "SELECT u.name, u.kind, u.sanitizer, u.grp, u.params, u.seed, CASE WHEN u.kind IN ('none', 'remove-all') THEN "
    "(SELECT count(*) FROM record r WHERE r.dataset_id = u.dataset_id) ELSE (SELECT count(*) FROM variant v WHERE "
    "v.run_id = u.id) END, (SELECT count(*) FROM variant v WHERE v.run_id = u.id AND v.text_id IS NULL), u.id FROM run "
    "u WHERE u.dataset_id = ?1 ORDER BY u.kind IN ('none', 'remove-all'), u.name";

// dataset -> id, name, kind, group, content, variants, sanitizer, params; by name, controls last
inline constexpr char kRunsForReport[] =
    "SELECT r.id, r.name, r.kind, r.grp, r.content, CASE WHEN r.kind IN ('none', 'remove-all') THEN (SELECT count(*) "
    "FROM record c WHERE c.dataset_id = r.dataset_id) ELSE (SELECT count(*) FROM variant v WHERE v.run_id = r.id) END, "
    "r.sanitizer, r.params FROM run r WHERE r.dataset_id = ?1 ORDER BY r.kind IN ('none', 'remove-all'), r.name";

// dataset's name ('': all) -> id, dataset, name, kind, sanitizer, group, params, seed, created_at, note, version,
// changed_at, ms, whether its texts were written by `sanitize`; by names, controls last
inline constexpr char kRunsWithFacts[] =
    "SELECT u.id, d.name, u.name, u.kind, u.sanitizer, u.grp, u.params, u.seed, u.created_at, n.note, m.version, "
    "m.changed_at, m.ms, u.made_from IS NOT NULL FROM run u JOIN dataset d ON d.id = u.dataset_id LEFT JOIN run_note n "
    "ON n.run_id = u.id LEFT JOIN run_made m ON m.run_id = u.id WHERE ?1 = '' OR d.name = ?1 ORDER BY d.name, u.kind "
    "IN ('none', 'remove-all'), u.name";

// dataset -> id, name, kind, content
inline constexpr char kRunsInNameOrder[] =
    "SELECT id, name, kind, content FROM run WHERE dataset_id = ?1 ORDER BY name";

// dataset -> id, name, kind, removes_everything, content, created_at, whether its texts are meant (as in
// kRunContentAndRemovesEverything)
inline constexpr char kRunsInNameOrderWithCreation[] =
    "SELECT id, name, kind, removes_everything, content, created_at, texts_are_meant OR (made_from IS NOT NULL AND "
    "sanitizer <> 'command') FROM run WHERE dataset_id = ?1 ORDER BY name";

// dataset -> name, sanitizer, params
inline constexpr char kRunsInNameOrderWithSanitizer[] =
    "SELECT name, sanitizer, params FROM run WHERE dataset_id = ?1 ORDER BY name";

// dataset -> names, in order; of runs made before the dataset's records changed
inline constexpr char kRunsMadeFromOtherRecords[] =
    "SELECT r.name FROM run r JOIN dataset d ON d.id = r.dataset_id WHERE d.id = ?1 AND r.made_from IS NOT NULL AND "
    "r.made_from <> d.content ORDER BY r.name";

// dataset -> name, variants, failed ones; by name, of synthetic runs with failed or no variants
inline constexpr char kRunsOfSyntheticTextsWithFailures[] =
    "SELECT r.name, count(v.id), count(v.id) - count(v.text_id) FROM run r LEFT JOIN variant v ON v.run_id = r.id "
    "WHERE r.dataset_id = ?1 AND r.kind = 'synthetic' GROUP BY r.id HAVING count(v.text_id) < count(v.id) OR "
    "count(v.id) = 0 ORDER BY r.name";

// dataset name, '': all -> id, dataset, name, kind, variants, failed, dataset id; by names
inline constexpr char kRunsWithCountsOfOneOrAllDatasets[] =
    "SELECT r.id, d.name, r.name, r.kind, (SELECT count(*) FROM variant WHERE run_id = r.id), (SELECT count(*) FROM "
    "variant WHERE run_id = r.id AND text_id IS NULL), d.id FROM run r JOIN dataset d ON d.id = r.dataset_id WHERE ?1 "
    "= '' OR d.name = ?1 ORDER BY d.name, r.name";

// dataset, made_from, another: where it was the first; of aligned runs
inline constexpr char kUpdateAlignedRunsMadeFrom[] =
    "UPDATE run SET made_from = ?3 WHERE dataset_id = ?1 AND made_from = ?2 AND kind = 'aligned'";

// run, content, substitutions
inline constexpr char kUpdateRunContent[] = "UPDATE run SET content = ?2, substitutions = ?3 WHERE id = ?1";

// dataset, run name, made_from
inline constexpr char kUpdateRunMadeFrom[] = "UPDATE run SET made_from = ?3 WHERE dataset_id = ?1 AND name = ?2";

// dataset, run name, run before or NULL; made_from is that run's, else the dataset's content
inline constexpr char kUpdateRunMadeFromDatasetOrRun[] =
    "UPDATE run SET made_from = CASE WHEN ?3 IS NULL THEN (SELECT content FROM dataset WHERE id = ?1) ELSE (SELECT "
    "made_from FROM run WHERE dataset_id = ?1 AND name = ?3) END WHERE dataset_id = ?1 AND name = ?2";

// run, new name; changes nothing where the name is taken
inline constexpr char kUpdateRunName[] = "UPDATE OR IGNORE run SET name = ?2 WHERE id = ?1";

// run, removes_everything, sanitizer, params, seed, group; where the last four are NULL they stay
inline constexpr char kRunTextsAreMeant[] = "SELECT texts_are_meant FROM run WHERE id = ?1";

inline constexpr char kUpdateRunTextsAreMeant[] = "UPDATE run SET texts_are_meant = ?2 WHERE id = ?1";

// run, all columns of its spec, NULL: as it is
inline constexpr char kUpdateRunSpec[] =
    "UPDATE run SET removes_everything = ?2, sanitizer = coalesce(?3, sanitizer), params = coalesce(?4, params), seed "
    "= coalesce(?5, seed), grp = coalesce(?6, grp) WHERE id = ?1";

}  // namespace residue::storage::sql
