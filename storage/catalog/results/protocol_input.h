// Statements on the table protocol_input (schema.sql).
#pragma once

namespace residue::storage::sql {

// protocol, kind, name
inline constexpr char kInsertProtocolInputIfNew[] =
    "INSERT OR IGNORE INTO protocol_input (protocol_id, kind, name) VALUES (?1, ?2, ?3)";

// protocol, old name, new name; inputs of kind run
inline constexpr char kUpdateProtocolInputRunName[] =
    "UPDATE protocol_input SET name = ?3 WHERE protocol_id = ?1 AND kind = 'run' AND name = ?2";

}  // namespace residue::storage::sql
