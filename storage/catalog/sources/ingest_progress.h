// Statements on the table ingest_progress (schema.sql).
#pragma once

namespace residue::storage::sql {

// target, path; and the target's other files of the same size: it was moved or copied
inline constexpr char kDeleteIngestProgressOfFile[] =
    "DELETE FROM ingest_progress WHERE target = ?1 AND (path = ?2 OR size = (SELECT size FROM ingest_progress WHERE "
    "target = ?1 AND path = ?2))";

inline constexpr char kDeleteIngestProgressOfTarget[] = "DELETE FROM ingest_progress WHERE target = ?1";

// target; a row: some input of it was not read to its end
inline constexpr char kIngestProgressExists[] = "SELECT 1 FROM ingest_progress WHERE target = ?1";

// target -> path, the first in order
inline constexpr char kIngestProgressFirstPathOfTarget[] =
    "SELECT path FROM ingest_progress WHERE target = ?1 ORDER BY path LIMIT 1";

// -> target, lines; of every file
inline constexpr char kIngestProgressLinesInTargetOrder[] = "SELECT target, lines FROM ingest_progress ORDER BY target";

// target -> lines, of one of its files
inline constexpr char kIngestProgressLinesOfTarget[] = "SELECT lines FROM ingest_progress WHERE target = ?1 LIMIT 1";

// target, path -> size, mtime_ns, lines, counts
inline constexpr char kIngestProgressOfFile[] =
    "SELECT size, mtime_ns, lines, counts FROM ingest_progress WHERE target = ?1 AND path = ?2";

// prefix -> target, each once
inline constexpr char kIngestProgressTargetsByPrefix[] =
    "SELECT DISTINCT target FROM ingest_progress WHERE substr(target, 1, length(?1)) = ?1";

// target, path, size, mtime_ns, lines, counts
inline constexpr char kInsertOrUpdateIngestProgress[] =
    "INSERT INTO ingest_progress (target, path, size, mtime_ns, lines, counts) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON "
    "CONFLICT DO UPDATE SET size = ?3, mtime_ns = ?4, lines = ?5, counts = ?6";

// old target, new target; replaces the new one's rows of the same paths
inline constexpr char kUpdateIngestProgressTarget[] =
    "UPDATE OR REPLACE ingest_progress SET target = ?2 WHERE target = ?1";

}  // namespace residue::storage::sql
