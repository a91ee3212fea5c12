// Statements on the table dataset (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDatasetByName[] = "SELECT id FROM dataset WHERE name = ?1";

// name -> id, content
inline constexpr char kDatasetByNameWithContent[] = "SELECT id, content FROM dataset WHERE name = ?1";

inline constexpr char kDatasetContent[] = "SELECT content FROM dataset WHERE id = ?1";

inline constexpr char kDatasetContentInHex[] = "SELECT hex(content) FROM dataset WHERE id = ?1";

// of the whole store -> datasets, records, runs, claims, judgments, datasets that are controls of others
inline constexpr char kDatasetCountWithOtherCounts[] =
    "SELECT (SELECT count(*) FROM dataset), (SELECT count(*) FROM record), (SELECT count(*) FROM run), (SELECT "
    "count(*) FROM claim), (SELECT count(*) FROM judgment), (SELECT count(control_of) FROM dataset)";

// dataset name -> claim sets, runs without the controls
inline constexpr char kDatasetCountsOfClaimSetsAndRuns[] =
    "SELECT (SELECT count(*) FROM claim_set WHERE dataset_id = dataset.id), (SELECT count(*) FROM run WHERE dataset_id "
    "= dataset.id AND kind NOT IN ('none', 'remove-all')) FROM dataset WHERE name = ?1";

// dataset -> id, name of the dataset that it is a control of
inline constexpr char kDatasetControlledBy[] =
    "SELECT d.id, d.name FROM dataset c JOIN dataset d ON d.id = c.control_of WHERE c.id = ?1";

// dataset -> id, name of its control
inline constexpr char kDatasetControlOf[] = "SELECT id, name FROM dataset WHERE control_of = ?1 ORDER BY id";

// -> name, name of the dataset that it is a control of, by name
inline constexpr char kDatasetControlPairs[] =
    "SELECT c.name, d.name FROM dataset c JOIN dataset d ON d.id = c.control_of ORDER BY c.name";

// dataset -> protocol, judge, seeds
inline constexpr char kDatasetLastEvaluated[] = "SELECT protocol_id, judge_id, seeds FROM dataset WHERE id = ?1";

// dataset -> protocol, judge, seeds, protocol's name and sample, judge's name; NULL where they are gone
inline constexpr char kDatasetLastEvaluatedWithNames[] =
    "SELECT d.protocol_id, d.judge_id, d.seeds, p.name, p.sample, j.name FROM dataset d LEFT JOIN protocol p ON p.id = "
    "d.protocol_id LEFT JOIN judge j ON j.id = d.judge_id WHERE d.id = ?1";

inline constexpr char kDatasetNameAndContent[] = "SELECT name, content FROM dataset WHERE id = ?1";

// dataset -> name, created_at, content
inline constexpr char kDatasetNameCreationAndContent[] = "SELECT name, created_at, content FROM dataset WHERE id = ?1";

inline constexpr char kDatasetNamesInOrder[] = "SELECT name FROM dataset ORDER BY name";

// -> names of those that are no control of another, in order
inline constexpr char kDatasetNamesOfReleases[] = "SELECT name FROM dataset WHERE control_of IS NULL ORDER BY name";

// name, '': all -> names, in order
inline constexpr char kDatasetNamesOfOneOrAll[] = "SELECT name FROM dataset WHERE ?1 = '' OR name = ?1 ORDER BY name";

inline constexpr char kDatasetSeeds[] = "SELECT seeds FROM dataset WHERE id = ?1";

inline constexpr char kDatasetSeedsByName[] = "SELECT seeds FROM dataset WHERE name = ?1";

// -> id, name
inline constexpr char kDatasetsInNameOrder[] = "SELECT id, name FROM dataset ORDER BY name";

inline constexpr char kDeleteDataset[] = "DELETE FROM dataset WHERE id = ?1";

// name, created_at, content
inline constexpr char kInsertDataset[] = "INSERT INTO dataset (name, created_at, content) VALUES (?1, ?2, ?3)";

// dataset, content
inline constexpr char kUpdateDatasetContent[] = "UPDATE dataset SET content = ?2 WHERE id = ?1";

// dataset, the dataset that it is a control of
inline constexpr char kUpdateDatasetControlOf[] = "UPDATE dataset SET control_of = ?2 WHERE id = ?1";

// dataset, protocol, judge, seeds
inline constexpr char kUpdateDatasetLastEvaluated[] =
    "UPDATE dataset SET protocol_id = ?2, judge_id = ?3, seeds = ?4 WHERE id = ?1";

// dataset, new name; changes nothing where the name is taken
inline constexpr char kUpdateDatasetName[] = "UPDATE OR IGNORE dataset SET name = ?2 WHERE id = ?1";

}  // namespace residue::storage::sql
