// Statements on the table index_segment (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteIndexSegmentByFile[] = "DELETE FROM index_segment WHERE file = ?1";

// takes its rows of indexed along
inline constexpr char kDeleteIndexSegmentById[] = "DELETE FROM index_segment WHERE id = ?1";

// run, analyzer, its text up to the version number, that after it: all but this version's
inline constexpr char kDeleteIndexSegmentsOfOtherVersions[] =
    "DELETE FROM index_segment WHERE run_id = ?1 AND analyzer <> ?2 AND substr(analyzer, 1, length(?3)) = ?3 AND "
    "ltrim(substr(analyzer, length(?3) + 1), '0123456789') = ?4";

inline constexpr char kIndexSegmentFiles[] = "SELECT file FROM index_segment";

// -> id, file, sha256; of all runs
inline constexpr char kIndexSegmentFilesWithDigest[] = "SELECT id, file, sha256 FROM index_segment";

// run, analyzer -> id, file, sha256, bytes, documents; by id
inline constexpr char kIndexSegmentsOfRunByAnalyzer[] =
    "SELECT id, file, sha256, bytes, documents FROM index_segment WHERE run_id = ?1 AND analyzer = ?2 ORDER BY id";

// run, analyzer, file, sha256, bytes, documents
inline constexpr char kInsertIndexSegment[] =
    "INSERT INTO index_segment (run_id, analyzer, file, sha256, bytes, documents) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";

}  // namespace residue::storage::sql
