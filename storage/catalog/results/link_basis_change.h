// Statements on the table link_basis_change (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, analyzer, candidate, its text before; into each basis of the analyzer, the first change stays
inline constexpr char kInsertLinkBasisChangeIfNew[] =
    "INSERT OR IGNORE INTO link_basis_change SELECT id, ?3, ?4 FROM link_basis WHERE run_id = ?1 AND analyzer = ?2";

// basis -> candidate, indexed text or NULL; by candidate
inline constexpr char kLinkBasisChangesOfBasis[] =
    "SELECT candidate_id, indexed_id FROM link_basis_change WHERE basis_id = ?1 ORDER BY candidate_id";

}  // namespace residue::storage::sql
