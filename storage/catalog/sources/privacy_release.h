// Statements on the table privacy_release (schema.sql).
#pragma once

namespace residue::storage::sql {

// dataset name, run name, release, unit, units, noise, spending, made_at; made again it counts again
inline constexpr char kInsertOrCountPrivacyRelease[] =
    "INSERT INTO privacy_release (dataset, run, release, unit, units, noise, spending, made_at) VALUES (?1, ?2, ?3, "
    "?4, ?5, ?6, ?7, ?8) ON CONFLICT DO UPDATE SET struck_at = NULL, made_at = excluded.made_at";

// dataset name -> run name, release, unit, units, noise, spending, made_at, struck_at; as they were made
inline constexpr char kPrivacyReleasesOfDataset[] =
    "SELECT run, release, unit, units, noise, spending, made_at, struck_at FROM privacy_release WHERE dataset = ?1 "
    "ORDER BY id";

// dataset name, run name or NULL for all, struck_at; of a run the last release under its name
inline constexpr char kStrikePrivacyReleases[] =
    "UPDATE privacy_release SET struck_at = ?3 WHERE dataset = ?1 AND struck_at IS NULL AND (?2 IS NULL OR id = "
    "(SELECT id FROM privacy_release WHERE dataset = ?1 AND run = ?2 AND struck_at IS NULL ORDER BY made_at DESC, id "
    "DESC LIMIT 1))";

// dataset name, another: the first keeps its ledger, since what was made of it may be made of the same records again
inline constexpr char kCopyPrivacyReleasesOfDataset[] =
    "INSERT INTO privacy_release (dataset, run, release, unit, units, noise, spending, made_at, struck_at) SELECT ?2, "
    "run, release, unit, units, noise, spending, made_at, struck_at FROM privacy_release WHERE dataset = ?1 ORDER BY "
    "id ON CONFLICT DO UPDATE SET struck_at = NULL WHERE excluded.struck_at IS NULL";

// dataset name, run name, release, what it is
inline constexpr char kUpdatePrivacyRelease[] =
    "UPDATE OR REPLACE privacy_release SET release = ?4 WHERE dataset = ?1 AND run = ?2 AND release = ?3";

// dataset name, run name, another
inline constexpr char kUpdatePrivacyReleaseRun[] =
    "UPDATE OR REPLACE privacy_release SET run = ?3 WHERE dataset = ?1 AND run = ?2";

}  // namespace residue::storage::sql
