// Statements on the table answer_set (schema.sql).
#pragma once

namespace residue::storage::sql {

// dataset, run's name, model -> digest; none where all that were asked for here failed
inline constexpr char kAnswerSetAttributeGuessesOfRun[] =
    "SELECT s.digest FROM answer_set s JOIN run u ON u.id = s.run_id WHERE u.dataset_id = ?1 AND u.name = ?2 AND "
    "s.model = ?3 AND s.task = 'attributes' AND (s.digest IS NULL OR EXISTS (SELECT 1 FROM task_answer a WHERE "
    "a.run_id = s.run_id AND a.model = s.model AND a.task = s.task AND a.answer_id IS NOT NULL))";

// run, model, task -> content
inline constexpr char kAnswerSetContent[] =
    "SELECT content FROM answer_set WHERE run_id = ?1 AND model = ?2 AND task = ?3";

// run, model, task -> digest (NULL: from files), parser
inline constexpr char kAnswerSetDigestAndParser[] =
    "SELECT digest, parser FROM answer_set WHERE run_id = ?1 AND model = ?2 AND task = ?3";

// run, model, task: asked for here, not from files
inline constexpr char kAnswerSetExistsAskedHere[] =
    "SELECT 1 FROM answer_set WHERE run_id = ?1 AND model = ?2 AND task = ?3 AND digest IS NOT NULL";

// run, model, task: from files, not asked for here
inline constexpr char kAnswerSetExistsFromFiles[] =
    "SELECT 1 FROM answer_set WHERE run_id = ?1 AND model = ?2 AND task = ?3 AND digest IS NULL";

// dataset -> any of task choice, any of another; both NULL where there are no sets
inline constexpr char kAnswerSetKindsOfDataset[] =
    "SELECT max(task = 'choice'), max(task <> 'choice') FROM answer_set WHERE run_id IN (SELECT id FROM run WHERE "
    "dataset_id = ?1)";

// dataset -> models, each once, by name
inline constexpr char kAnswerSetModelsOfDataset[] =
    "SELECT DISTINCT s.model FROM answer_set s JOIN run u ON u.id = s.run_id WHERE u.dataset_id = ?1 ORDER BY 1";

// run, metric -> models never evaluated on a task that gave the metric, by name
inline constexpr char kAnswerSetModelsWithoutEvaluation[] =
    "SELECT s.model FROM answer_set s WHERE s.run_id = ?1 AND NOT EXISTS (SELECT 1 FROM evaluation e WHERE "
    "e.answer_set_id = s.id) AND s.task IN (SELECT t.task FROM answer_set t JOIN evaluation e ON e.answer_set_id = "
    "t.id JOIN metric m ON m.evaluation_id = e.id AND m.metric = ?2 AND m.slice = '') ORDER BY s.model";

// dataset -> task, model; of each task first who answered about most runs, then most records, then by name
inline constexpr char kAnswerSetModelsByTask[] =
    "SELECT s.task, s.model FROM answer_set s JOIN run u ON u.id = s.run_id WHERE u.dataset_id = ?1 GROUP BY s.task, "
    "s.model ORDER BY s.task, count(*) DESC, (SELECT count(*) FROM run r JOIN task_answer a ON a.run_id = r.id WHERE "
    "r.dataset_id = ?1 AND a.model = s.model AND a.task = s.task AND a.answer_id IS NOT NULL) DESC, s.model";

// dataset, model, task -> run 'none', answer set or 0, digest, run's name
inline constexpr char kAnswerSetOfOriginals[] =
    "SELECT u.id, coalesce(s.id, 0), s.digest, u.name FROM run u LEFT JOIN answer_set s ON s.run_id = u.id AND s.model "
    "= ?2 AND s.task = ?3 WHERE u.dataset_id = ?1 AND u.kind = 'none'";

// dataset, model, task, run's name ('': all) -> names of the runs that have such answers
inline constexpr char kAnswerSetRunNames[] =
    "SELECT u.name FROM answer_set s JOIN run u ON u.id = s.run_id WHERE u.dataset_id = ?1 AND s.model = ?2 AND s.task "
    "= ?3 AND (?4 = '' OR u.name = ?4) ORDER BY u.name";

// dataset, run (0: all) -> id, run, run's name, model, task, digest, in the order of names
inline constexpr char kAnswerSetsOfDataset[] =
    "SELECT s.id, s.run_id, u.name, s.model, s.task, s.digest FROM answer_set s JOIN run u ON u.id = s.run_id WHERE "
    "u.dataset_id = ?1 AND (?2 = 0 OR u.id = ?2) ORDER BY u.name, s.model, s.task";

// run -> model, task, digest, parser
inline constexpr char kAnswerSetsOfRun[] = "SELECT model, task, digest, parser FROM answer_set WHERE run_id = ?1";

// run, definitions -> model, task, evaluation (NULL: none), is it up to date; by task, model
inline constexpr char kAnswerSetsWithEvaluation[] =
    "SELECT s.model, s.task, e.id, e.definitions = ?2 AND e.run_content = u.content AND e.dataset_content = d.content "
    "AND e.claims_content = c.content FROM answer_set s JOIN run u ON u.id = s.run_id JOIN dataset d ON d.id = "
    "u.dataset_id JOIN answer_content c ON c.set_id = s.id LEFT JOIN evaluation e ON e.answer_set_id = s.id WHERE "
    "s.run_id = ?1 ORDER BY s.task, s.model";

// -> names of dataset and run, run, model, task, spec; of those that were asked for here
inline constexpr char kAnswerSetsAskedHereWithSpec[] =
    "SELECT d.name, u.name, s.run_id, s.model, s.task, w.spec FROM answer_set s JOIN run u ON u.id = s.run_id JOIN "
    "dataset d ON d.id = u.dataset_id JOIN asked_with w ON w.digest = s.digest ORDER BY s.id";

// run, metric -> model, id, of those with a value for all records (slice ''), by model
inline constexpr char kAnswerSetsWithMetric[] =
    "SELECT s.model, s.id FROM answer_set s JOIN evaluation e ON e.answer_set_id = s.id JOIN metric m ON "
    "m.evaluation_id = e.id AND m.metric = ?2 AND m.slice = '' WHERE s.run_id = ?1 ORDER BY s.model";

// run, model, task: where the set has no answers
inline constexpr char kDeleteAnswerSetWithoutAnswers[] =
    "DELETE FROM answer_set WHERE run_id = ?1 AND model = ?2 AND task = ?3 AND NOT EXISTS (SELECT 1 FROM task_answer a "
    "WHERE a.run_id = ?1 AND a.model = ?2 AND a.task = ?3)";

// run, model, task, content
inline constexpr char kInsertAnswerSet[] =
    "INSERT INTO answer_set (run_id, model, task, content) VALUES (?1, ?2, ?3, ?4)";

// run, model, task, content
inline constexpr char kUpdateAnswerSetContent[] =
    "UPDATE answer_set SET content = ?4 WHERE run_id = ?1 AND model = ?2 AND task = ?3";

// run, model, task, digest, parser
inline constexpr char kUpdateAnswerSetDigestAndParser[] =
    "UPDATE answer_set SET digest = ?4, parser = ?5 WHERE run_id = ?1 AND model = ?2 AND task = ?3";

}  // namespace residue::storage::sql
