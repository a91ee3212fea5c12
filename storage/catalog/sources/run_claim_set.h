// Statements on the table run_claim_set (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, name, source, content; made_from stays NULL: unfinished
inline constexpr char kInsertRunClaimSet[] =
    "INSERT INTO run_claim_set (run_id, name, source, content) VALUES (?1, ?2, ?3, ?4)";

// run, name, source, content, made_from
inline constexpr char kInsertRunClaimSetWithMadeFrom[] =
    "INSERT INTO run_claim_set (run_id, name, source, content, made_from) VALUES (?1, ?2, ?3, ?4, ?5)";

// run, name -> id, made_from; NULL: never finished
inline constexpr char kRunClaimSetByNameWithMadeFrom[] =
    "SELECT id, made_from FROM run_claim_set WHERE run_id = ?1 AND name = ?2";

// run, name -> id, content, source
inline constexpr char kRunClaimSetByNameWithSource[] =
    "SELECT id, content, source FROM run_claim_set WHERE run_id = ?1 AND name = ?2";

// run, protocol -> dataset, run, set name; a row if the claims to compare are absent or outdated
inline constexpr char kRunClaimSetMissingForProtocol[] =
    "SELECT d.name, u.name, coalesce(c.name, s.name) FROM run u JOIN dataset d ON d.id = u.dataset_id JOIN protocol p "
    "ON p.id = ?2 JOIN auxiliary a ON a.id = p.auxiliary_id JOIN claim_set s ON s.id = a.claim_set_id LEFT JOIN "
    "compared_claims x ON x.run_id = u.id AND x.protocol_id = p.id LEFT JOIN run_claim_set c ON c.id = x.set_id WHERE "
    "u.id = ?1 AND u.kind NOT IN ('none', 'remove-all') AND c.made_from IS NOT u.content";

// run, protocol -> name; by the view compared_claims
inline constexpr char kRunClaimSetNameComparedUnderProtocol[] =
    "SELECT c.name FROM compared_claims s JOIN run_claim_set c ON c.id = s.set_id WHERE s.run_id = ?1 AND "
    "s.protocol_id = ?2";

// run -> id, name, source, content, made_from; by name
inline constexpr char kRunClaimSetsFinishedOfRun[] =
    "SELECT id, name, source, content, made_from FROM run_claim_set WHERE run_id = ?1 AND made_from IS NOT NULL ORDER "
    "BY name";

// -> run, id, name, source; of those that models made
inline constexpr char kRunClaimSetsByModels[] =
    "SELECT run_id, id, name, source FROM run_claim_set WHERE source GLOB 'model *'";

// run -> id, content
inline constexpr char kRunClaimSetsOfRun[] = "SELECT id, content FROM run_claim_set WHERE run_id = ?1";

// id, content
inline constexpr char kUpdateRunClaimSetContent[] = "UPDATE run_claim_set SET content = ?2 WHERE id = ?1";

// run, made_from, another: where it was the first
inline constexpr char kUpdateRunClaimSetsMadeFrom[] =
    "UPDATE run_claim_set SET made_from = ?3 WHERE run_id = ?1 AND made_from = ?2";

// id, content, source
inline constexpr char kUpdateRunClaimSetContentAndSource[] =
    "UPDATE run_claim_set SET content = ?2, source = ?3 WHERE id = ?1";

// id, made_from: the set is finished
inline constexpr char kUpdateRunClaimSetMadeFrom[] = "UPDATE run_claim_set SET made_from = ?2 WHERE id = ?1";

// id; made_from is NULL then
inline constexpr char kUpdateRunClaimSetUnfinished[] = "UPDATE run_claim_set SET made_from = NULL WHERE id = ?1";

}  // namespace residue::storage::sql
