// Statements on the table task_answer (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, model, task, record
inline constexpr char kDeleteTaskAnswer[] =
    "DELETE FROM task_answer WHERE run_id = ?1 AND model = ?2 AND task = ?3 AND record_id = ?4";

// run, model, task
inline constexpr char kDeleteTaskAnswersOfSet[] =
    "DELETE FROM task_answer WHERE run_id = ?1 AND model = ?2 AND task = ?3";

// run, model, task, record, answer, about
inline constexpr char kInsertOrUpdateTaskAnswer[] =
    "INSERT INTO task_answer (run_id, model, task, record_id, answer_id, about) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON "
    "CONFLICT DO UPDATE SET answer_id = ?5, about = ?6";

// -> answers to the task attributes, each once
inline constexpr char kTaskAnswerTextsOfAttributes[] =
    "SELECT DISTINCT answer_id FROM task_answer WHERE task = 'attributes' AND answer_id IS NOT NULL";

// run, model, judging model, task: judged where the first has not answered any more
inline constexpr char kTaskAnswerExistsOfJudgeAlone[] =
    "SELECT 1 FROM task_answer j WHERE j.run_id = ?1 AND j.model = ?3 AND j.task = ?4 AND NOT EXISTS (SELECT 1 FROM "
    "task_answer g WHERE g.run_id = ?1 AND g.model = ?2 AND g.task = ?4 AND g.record_id = j.record_id) LIMIT 1";

// run, model, task, record -> answer, about
inline constexpr char kTaskAnswerOfRecord[] =
    "SELECT answer_id, about FROM task_answer WHERE run_id = ?1 AND model = ?2 AND task = ?3 AND record_id = ?4";

// synthetic run -> variant, model, task, answer, about, text
inline constexpr char kTaskAnswersOfSyntheticRun[] =
    "SELECT v.id, a.model, a.task, a.answer_id, a.about, v.text_id FROM task_answer a JOIN variant v ON v.id = "
    "-a.record_id WHERE a.run_id = ?1 ORDER BY a.model, a.task, v.key";

// run -> record, model, task, answer, about, text, task's text, variant's text, substitutions (asked here)
inline constexpr char kTaskAnswersOfRunWithTexts[] =
    "SELECT a.record_id, a.model, a.task, a.answer_id, a.about, r.text_id, r.task_id, v.text_id, iif(s.digest IS NULL, "
    "NULL, v.substitutions_id) FROM task_answer a JOIN record r ON r.id = a.record_id JOIN answer_set s USING (run_id, "
    "model, task) LEFT JOIN variant v ON v.run_id = a.run_id AND v.record_id = r.id WHERE a.run_id = ?1 ORDER BY "
    "a.model, a.task, r.key";

// run, model, task, record, how many -> record, about, answer, of later records, in order
inline constexpr char kTaskAnswersOfSetAfterRecord[] =
    "SELECT record_id, about, answer_id FROM task_answer WHERE run_id = ?1 AND model = ?2 AND task = ?3 AND record_id "
    "> ?4 ORDER BY record_id LIMIT ?5";

}  // namespace residue::storage::sql
