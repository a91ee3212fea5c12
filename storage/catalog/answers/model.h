// Statements on the table model (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteModel[] = "DELETE FROM model WHERE name = ?1";

// name, asking, transport, votes, canaries, template, claims per request
inline constexpr char kInsertOrUpdateModel[] =
    "INSERT INTO model (name, asking, transport, votes, canaries, template, claims_per_request) VALUES (?1, ?2, ?3, "
    "?4, ?5, ?6, ?7) ON CONFLICT (name) DO UPDATE SET asking = ?2, transport = ?3, votes = ?4, canaries = ?5, template "
    "= ?6, claims_per_request = ?7";

inline constexpr char kModelAsking[] = "SELECT asking FROM model WHERE name = ?1";

// name -> name, asking, transport, votes, canaries, template, claims per request
inline constexpr char kModelByName[] =
    "SELECT name, asking, transport, votes, canaries, template, claims_per_request FROM model WHERE name = ?1";

// -> name, asking, transport, votes, canaries, template, claims per request; as kModelByName
inline constexpr char kModelsByName[] =
    "SELECT name, asking, transport, votes, canaries, template, claims_per_request FROM model ORDER BY name";

}  // namespace residue::storage::sql
