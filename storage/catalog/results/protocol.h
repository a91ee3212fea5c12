// Statements on the table protocol (schema.sql).
#pragma once

namespace residue::storage::sql {

// dataset, name, linker, auxiliary, sample
inline constexpr char kInsertProtocolIfNew[] =
    "INSERT OR IGNORE INTO protocol (dataset_id, name, linker, auxiliary_id, sample) VALUES (?1, ?2, ?3, ?4, ?5)";

// dataset, name, sample -> id
inline constexpr char kProtocolIdByNameAndSample[] =
    "SELECT id FROM protocol WHERE dataset_id = ?1 AND name = ?2 AND sample = ?3";

// dataset, name -> id; the dataset's last evaluated one, else that of the smallest sample (0: all)
inline constexpr char kProtocolIdByNameLastEvaluated[] =
    "SELECT p.id FROM protocol p JOIN dataset d ON d.id = p.dataset_id WHERE p.dataset_id = ?1 AND p.name = ?2 ORDER "
    "BY p.id = d.protocol_id DESC, p.sample LIMIT 1";

inline constexpr char kProtocolLinkersOfDataset[] = "SELECT DISTINCT linker FROM protocol WHERE dataset_id = ?1";

inline constexpr char kProtocolNameById[] = "SELECT name FROM protocol WHERE id = ?1";

// dataset -> name of the protocol that it was evaluated with last
inline constexpr char kProtocolNameOfLastEvaluation[] =
    "SELECT p.name FROM dataset d JOIN protocol p ON p.id = d.protocol_id WHERE d.id = ?1";

// dataset, sample, judge's name -> name, each once; in order
inline constexpr char kProtocolNamesEvaluatedByJudge[] =
    "SELECT DISTINCT p.name FROM protocol p JOIN evaluation e ON e.protocol_id = p.id JOIN judge j ON j.id = "
    "e.judge_id WHERE p.dataset_id = ?1 AND p.sample = ?2 AND e.tier = 'judge' AND j.name = ?3 ORDER BY 1";

// dataset, name, sample -> id, sample; first that sample, then all records (0), then the largest
inline constexpr char kProtocolSamplesByName[] =
    "SELECT id, sample FROM protocol WHERE dataset_id = ?1 AND name = ?2 ORDER BY sample = ?3 DESC, sample = 0 DESC, "
    "sample DESC";

// dataset, run's name -> id, name, claim set's content, its categories; by id
inline constexpr char kProtocolsWithRunAsInput[] =
    "SELECT p.id, p.name, s.content, s.categories FROM protocol p JOIN protocol_input i ON i.protocol_id = p.id JOIN "
    "auxiliary a ON a.id = p.auxiliary_id JOIN claim_set s ON s.id = a.claim_set_id WHERE p.dataset_id = ?1 AND i.kind "
    "= 'run' AND i.name = ?2 ORDER BY p.id";

// id, name, linker; changes nothing where the name is taken
inline constexpr char kUpdateProtocolNameAndLinker[] =
    "UPDATE OR IGNORE protocol SET name = ?2, linker = ?3 WHERE id = ?1";

}  // namespace residue::storage::sql
