// Statements on the table intruder_attempt (schema.sql).
#pragma once

namespace residue::storage::sql {

// id: an open draw is taken back
inline constexpr char kDeleteIntruderAttempt[] = "DELETE FROM intruder_attempt WHERE id = ?1";

// run, protocol, sample, record, annotator, present, now, drawn
inline constexpr char kInsertIntruderAttempt[] =
    "INSERT INTO intruder_attempt (run_id, protocol, sample, record_id, annotator, present, drawn_at, drawn) VALUES "
    "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

// run, protocol, sample, annotator, record -> id, present, drawn, answered (or NULL), chosen, sure, ms, searches, told
inline constexpr char kIntruderAttemptOfTarget[] =
    "SELECT id, present, drawn, answered_at, chosen_id, sure, ms, searches, told FROM intruder_attempt WHERE run_id = "
    "?1 AND protocol = ?2 AND sample = ?3 AND annotator = ?4 AND record_id = ?5";

// run, protocol, sample, annotator -> id, record, drawn, whether it was answered; by id
inline constexpr char kIntruderAttemptsOfAnnotator[] =
    "SELECT id, record_id, drawn, answered_at IS NOT NULL FROM intruder_attempt WHERE run_id = ?1 AND protocol = ?2 "
    "AND sample = ?3 AND annotator = ?4 ORDER BY id";

// run, protocol, sample, annotator or NULL: all -> annotator, record, present, answered (or NULL), chosen, sure, ms,
// searches, about, told; by annotator and key of the record
inline constexpr char kIntruderAttemptsOfTest[] =
    "SELECT a.annotator, a.record_id, a.present, a.answered_at, a.chosen_id, a.sure, a.ms, a.searches, a.about, a.told "
    "FROM intruder_attempt a JOIN record r ON r.id = a.record_id WHERE a.run_id = ?1 AND a.protocol = ?2 AND a.sample "
    "= "
    "?3 AND (?4 IS NULL OR a.annotator = ?4) ORDER BY a.annotator, r.key";

// id, now, chosen, sure, ms, searches, about
inline constexpr char kUpdateIntruderAttemptAnswer[] =
    "UPDATE intruder_attempt SET answered_at = ?2, chosen_id = ?3, sure = ?4, ms = ?5, searches = ?6, about = ?7 WHERE "
    "id = ?1";

// id
inline constexpr char kUpdateIntruderAttemptTold[] = "UPDATE intruder_attempt SET told = 1 WHERE id = ?1";

}  // namespace residue::storage::sql
