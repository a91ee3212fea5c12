// Statements on the table judge (schema.sql).
#pragma once

namespace residue::storage::sql {

// name, embedded, spec, digest, claims per request
inline constexpr char kInsertJudge[] =
    "INSERT INTO judge (name, embedded, spec, digest, claims_per_request) VALUES (?1, ?2, ?3, ?4, ?5)";

// name, spec, digest: whose judgments were made elsewhere
inline constexpr char kInsertJudgeElsewhere[] =
    "INSERT INTO judge (name, embedded, spec, digest) VALUES (?1, 0, ?2, ?3)";

// name, spec, digest, revision: whose judgments were made elsewhere
inline constexpr char kInsertJudgeElsewhereWithRevision[] =
    "INSERT INTO judge (name, embedded, spec, digest, revision) VALUES (?1, 0, ?2, ?3, ?4)";

// name, spec, digest, claims per request: not embedded
inline constexpr char kInsertJudgeOfModel[] =
    "INSERT INTO judge (name, embedded, spec, digest, claims_per_request) VALUES (?1, 0, ?2, ?3, ?4)";

// -> JSON 'answer' of the specs of judges that are models
inline constexpr char kJudgeAnswersOfModels[] =
    "SELECT json_extract(spec, '$.answer') FROM judge WHERE json_extract(spec, '$.judge') = 'model'";

// name -> spec, digest, embedded
inline constexpr char kJudgeByName[] = "SELECT spec, digest, embedded FROM judge WHERE name = ?1";

// spec -> id, claims per request
inline constexpr char kJudgeBySpec[] = "SELECT id, claims_per_request FROM judge WHERE spec = ?1";

inline constexpr char kJudgeDigest[] = "SELECT digest FROM judge WHERE id = ?1";

// name
inline constexpr char kJudgeExists[] = "SELECT 1 FROM judge WHERE name = ?1";

// name: whose judgments were made elsewhere
inline constexpr char kJudgeExistsElsewhere[] =
    "SELECT 1 FROM judge WHERE name = ?1 AND json_extract(spec, '$.imported')";

// name -> id, digest
inline constexpr char kJudgeIdAndDigestByName[] = "SELECT id, digest FROM judge WHERE name = ?1";

// digest, name -> id
inline constexpr char kJudgeIdByDigestAndName[] = "SELECT id FROM judge WHERE digest = ?1 AND name = ?2";

inline constexpr char kJudgeIdByName[] = "SELECT id FROM judge WHERE name = ?1";

// judge -> name, digest
inline constexpr char kJudgeNameAndDigest[] = "SELECT name, digest FROM judge WHERE id = ?1";

// -> names, in order
inline constexpr char kJudgeNamesNotEmbedded[] = "SELECT name FROM judge WHERE NOT embedded ORDER BY name";

// judge -> name, spec, were its judgments made elsewhere
inline constexpr char kJudgeNotEmbedded[] =
    "SELECT name, spec, json_extract(spec, '$.imported') IS NOT NULL FROM judge WHERE id = ?1 AND NOT embedded";

// name of either
inline constexpr char kJudgeOrModelExists[] =
    "SELECT 1 FROM judge WHERE name = ?1 UNION SELECT 1 FROM model WHERE name = ?1 LIMIT 1";

inline constexpr char kJudgeRevision[] = "SELECT revision FROM judge WHERE id = ?1";

// -> revisions, each once
inline constexpr char kJudgeRevisions[] = "SELECT DISTINCT revision FROM judge";

// name -> spec, embedded
inline constexpr char kJudgeSpecAndEmbeddedByName[] = "SELECT spec, embedded FROM judge WHERE name = ?1";

inline constexpr char kJudgeSpecByName[] = "SELECT spec FROM judge WHERE name = ?1";

// name -> spec
inline constexpr char kJudgeSpecByNameNotEmbedded[] = "SELECT spec FROM judge WHERE name = ?1 AND NOT embedded";

// -> id, name, spec, digest, revision, of judges whose judgments were made elsewhere
inline constexpr char kJudgesElsewhere[] =
    "SELECT id, name, spec, digest, revision FROM judge WHERE json_extract(spec, '$.imported') IS NOT NULL";

// -> name, spec, digest, claims per request: not embedded, and not made elsewhere
inline constexpr char kJudgesOfModels[] =
    "SELECT name, spec, digest, claims_per_request FROM judge WHERE NOT embedded AND json_extract(spec, '$.imported') "
    "IS NULL";

// -> name, spec, number of judgments; by name
inline constexpr char kJudgesOfModelsWithCount[] =
    "SELECT name, spec, (SELECT count(*) FROM judgment m WHERE m.judge_id = j.id) FROM judge j WHERE "
    "json_extract(spec, '$.judge') = 'model' ORDER BY name";

// -> name, digest, embedded, made elsewhere, number of judgments, of samples; by name
inline constexpr char kJudgesWithCounts[] =
    "SELECT name, digest, embedded, json_extract(spec, '$.imported') IS NOT NULL, (SELECT count(*) FROM judgment m "
    "WHERE m.judge_id = j.id), (SELECT count(*) FROM judgment_sample s WHERE s.judge_id = j.id) FROM judge j ORDER BY "
    "name";

// -> id, spec, of judges that are models, or cascades of them
inline constexpr char kJudgeIdsAndSpecsOfModels[] =
    "SELECT id, spec FROM judge WHERE NOT embedded AND json_extract(spec, '$.imported') IS NULL";

// -> id, name, spec, embedded, made elsewhere; by name
inline constexpr char kJudgesWithSpecs[] =
    "SELECT id, name, spec, embedded, json_extract(spec, '$.imported') IS NOT NULL FROM judge ORDER BY name";

// name (NULL: all not embedded or superseded) -> id, name, spec, embedded, made elsewhere; by name
inline constexpr char kJudgesWithVotes[] =
    "SELECT id, name, spec, embedded, json_extract(spec, '$.imported') IS NOT NULL FROM judge WHERE iif(?1 IS NULL, "
    "NOT embedded AND name NOT LIKE '% (superseded %)', name = ?1) ORDER BY name";

// digest, name
inline constexpr char kUpdateJudgeNameByDigest[] = "UPDATE judge SET name = ?2 WHERE digest = ?1";

// name: it becomes 'NAME (superseded ID)'
inline constexpr char kUpdateJudgeNameSuperseded[] =
    "UPDATE judge SET name = name || ' (superseded ' || id || ')' WHERE name = ?1";

// judge: its revision is the next one
inline constexpr char kUpdateJudgeRevision[] = "UPDATE judge SET revision = revision + 1 WHERE id = ?1";

}  // namespace residue::storage::sql
