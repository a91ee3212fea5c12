// Statements on the tables intruder_attempt and intruder_look (schema.sql).
#pragma once

namespace residue::storage::sql {

// id: an open draw is taken back
inline constexpr char kDeleteIntruderAttempt[] = "DELETE FROM intruder_attempt WHERE id = ?1";

// run, protocol, sample, record, annotator, present, now, drawn, stratum or NULL
inline constexpr char kInsertIntruderAttempt[] =
    "INSERT INTO intruder_attempt (run_id, protocol, sample, record_id, annotator, present, drawn_at, drawn, stratum) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

// run, protocol, sample, record, annotator, present, drawn_at, drawn, stratum, answered_at, chosen, sure, ms, searches,
// about, told, blind; from stratum on what was said, or NULL
inline constexpr char kInsertIntruderAttemptWhole[] =
    "INSERT INTO intruder_attempt (run_id, protocol, sample, record_id, annotator, present, drawn_at, drawn, stratum, "
    "answered_at, chosen_id, sure, ms, searches, about, told, blind) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
    "?11, ?12, ?13, ?14, ?15, ?16, ?17)";

// run, protocol, sample, reader, now; who looked before has looked
inline constexpr char kInsertIntruderLook[] =
    "INSERT INTO intruder_look (run_id, protocol, sample, reader, looked_at) VALUES (?1, ?2, ?3, ?4, ?5) "
    "ON CONFLICT DO NOTHING";

// -> dataset, run, protocol, sample of every test with attempts, in the order of names
inline constexpr char kIntruderTests[] =
    "SELECT DISTINCT d.name, u.name, a.protocol, a.sample FROM intruder_attempt a JOIN run u ON u.id = a.run_id JOIN "
    "dataset d ON d.id = u.dataset_id ORDER BY 1, 2, 3, 4";

inline constexpr char kIntruderAttemptCountOfDataset[] =
    "SELECT count(*) FROM intruder_attempt WHERE run_id IN (SELECT id FROM run WHERE dataset_id = ?1)";

inline constexpr char kIntruderAttemptCountOfRun[] = "SELECT count(*) FROM intruder_attempt WHERE run_id = ?1";

// run, protocol, sample, annotator, record -> id, present, drawn, answered (or NULL), chosen, sure, ms, searches, told,
// blind (or NULL), stratum (or NULL), about (or NULL)
inline constexpr char kIntruderAttemptOfTarget[] =
    "SELECT id, present, drawn, answered_at, chosen_id, sure, ms, searches, told, blind, stratum, about FROM "
    "intruder_attempt WHERE run_id = ?1 AND protocol = ?2 AND sample = ?3 AND annotator = ?4 AND record_id = ?5";

// run, protocol, sample, annotator -> id, record, drawn, whether it was answered; by id
inline constexpr char kIntruderAttemptsOfAnnotator[] =
    "SELECT id, record_id, drawn, answered_at IS NOT NULL FROM intruder_attempt WHERE run_id = ?1 AND protocol = ?2 "
    "AND sample = ?3 AND annotator = ?4 ORDER BY id";

// run, protocol, sample, annotator or NULL: all -> annotator, record, present, answered (or NULL), chosen, sure, ms,
// searches, about, told, blind (or NULL), stratum (or NULL); by annotator and key of the record
inline constexpr char kIntruderAttemptsOfTest[] =
    "SELECT a.annotator, a.record_id, a.present, a.answered_at, a.chosen_id, a.sure, a.ms, a.searches, a.about, "
    "a.told, a.blind, a.stratum FROM intruder_attempt a JOIN record r ON r.id = a.record_id WHERE a.run_id = ?1 AND "
    "a.protocol = ?2 AND a.sample = ?3 AND (?4 IS NULL OR a.annotator = ?4) ORDER BY a.annotator, r.key";

// run, protocol, sample -> reader; by reader
inline constexpr char kIntruderLooksOfTest[] =
    "SELECT reader FROM intruder_look WHERE run_id = ?1 AND protocol = ?2 AND sample = ?3 ORDER BY reader";

// run, protocol, sample, annotator -> whether outcomes of the test were shown to this one: one attempt's, or those of a
// report that this one read, or that nobody knows who read
inline constexpr char kIntruderOutcomesSeen[] =
    "SELECT EXISTS (SELECT 1 FROM intruder_look WHERE run_id = ?1 AND protocol = ?2 AND sample = ?3 AND reader IN ('', "
    "?4)) OR EXISTS (SELECT 1 FROM intruder_attempt WHERE run_id = ?1 AND protocol = ?2 AND sample = ?3 AND annotator "
    "= ?4 AND told = 1)";

// run, protocol, sample -> the strata that targets were drawn of, each once
inline constexpr char kIntruderStrataOfTest[] =
    "SELECT DISTINCT stratum FROM intruder_attempt WHERE run_id = ?1 AND protocol = ?2 AND sample = ?3 AND stratum IS "
    "NOT NULL ORDER BY stratum";

// id, now, chosen, sure, ms, searches, about, blind or NULL
inline constexpr char kUpdateIntruderAttemptAnswer[] =
    "UPDATE intruder_attempt SET answered_at = ?2, chosen_id = ?3, sure = ?4, ms = ?5, searches = ?6, about = ?7, "
    "blind = ?8 WHERE id = ?1";

// id, told, blind or NULL
inline constexpr char kUpdateIntruderAttemptSeen[] = "UPDATE intruder_attempt SET told = ?2, blind = ?3 WHERE id = ?1";

// id
inline constexpr char kUpdateIntruderAttemptTold[] = "UPDATE intruder_attempt SET told = 1 WHERE id = ?1";

}  // namespace residue::storage::sql
