// Statements on the table vector (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteVectorOfText[] = "DELETE FROM vector WHERE embedder_id = ?1 AND text_id = ?2";

// embedder, text, vector, digest
inline constexpr char kInsertOrUpdateVector[] =
    "INSERT INTO vector (embedder_id, text_id, vector_id, digest) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET "
    "vector_id = ?3, digest = ?4";

inline constexpr char kVectorDigestsOfEmbedder[] = "SELECT text_id, digest FROM vector WHERE embedder_id = ?1";

inline constexpr char kVectorExists[] = "SELECT 1 FROM vector WHERE embedder_id = ?1 AND text_id = ?2";

inline constexpr char kVectorIdOfText[] = "SELECT vector_id FROM vector WHERE embedder_id = ?1 AND text_id = ?2";

// of all embedders
inline constexpr char kVectorIds[] = "SELECT vector_id FROM vector";

inline constexpr char kVectorIdsOfEmbedder[] = "SELECT text_id, vector_id FROM vector WHERE embedder_id = ?1";

inline constexpr char kVectorOfTextWithDigest[] =
    "SELECT vector_id, digest FROM vector WHERE embedder_id = ?1 AND text_id = ?2";

// embedder -> text, ascending
inline constexpr char kVectorTextsOfEmbedderInOrder[] =
    "SELECT text_id FROM vector WHERE embedder_id = ?1 ORDER BY text_id";

// embedder -> text, vector, digest
inline constexpr char kVectorsOfEmbedderWithDigest[] =
    "SELECT text_id, vector_id, digest FROM vector WHERE embedder_id = ?1";

}  // namespace residue::storage::sql
