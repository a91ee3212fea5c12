// Statements on the table embedder (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kEmbedderNamesInOrder[] = "SELECT name FROM embedder ORDER BY name";

// claim set -> name; who has a vector of some claim, but for embedders of queries only; by name
inline constexpr char kEmbedderNamesOfClaimSet[] =
    "SELECT e.name FROM embedder e WHERE EXISTS (SELECT 1 FROM claim c JOIN vector v ON v.text_id = c.text_id AND "
    "v.embedder_id = e.id WHERE c.claim_set_id = ?1) AND NOT EXISTS (SELECT 1 FROM embedder_origin o WHERE o.queries = "
    "e.name AND o.name <> e.name) ORDER BY e.name";

// dataset -> name; who has a vector of some original, but for embedders of queries only; by name
inline constexpr char kEmbedderNamesOfDataset[] =
    "SELECT e.name FROM embedder e WHERE EXISTS (SELECT 1 FROM record r JOIN vector v ON v.text_id = r.text_id AND "
    "v.embedder_id = e.id WHERE r.dataset_id = ?1) AND NOT EXISTS (SELECT 1 FROM embedder_origin o WHERE o.queries = "
    "e.name AND o.name <> e.name) ORDER BY e.name";

// -> id, name, dimension, content
inline constexpr char kEmbeddersInNameOrder[] = "SELECT id, name, dimension, content FROM embedder ORDER BY name";

// name, dimension, content, time of creation
inline constexpr char kInsertEmbedder[] =
    "INSERT INTO embedder (name, dimension, content, created_at) VALUES (?1, ?2, ?3, ?4)";

inline constexpr char kUpdateEmbedderContent[] = "UPDATE embedder SET content = ?2 WHERE id = ?1";

}  // namespace residue::storage::sql
