// Statements on the table run_made (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, version, when, how long or NULL: that is added to what it took before
inline constexpr char kPutRunMade[] =
    "INSERT INTO run_made (run_id, version, changed_at, ms) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (run_id) DO UPDATE SET "
    "version = excluded.version, changed_at = excluded.changed_at, ms = coalesce(ms + excluded.ms, excluded.ms, ms)";

}  // namespace residue::storage::sql
