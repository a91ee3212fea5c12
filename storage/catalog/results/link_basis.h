// Statements on the table link_basis (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteLinkBasesOfAnalyzer[] = "DELETE FROM link_basis WHERE run_id = ?1 AND analyzer = ?2";

// run, analyzer, the most changes that a basis may have
inline constexpr char kDeleteLinkBasesWithMoreChanges[] =
    "DELETE FROM link_basis WHERE run_id = ?1 AND analyzer = ?2 AND (SELECT count(*) FROM link_basis_change WHERE "
    "basis_id = link_basis.id) > ?3";

inline constexpr char kDeleteLinkBasisUnderProtocol[] = "DELETE FROM link_basis WHERE run_id = ?1 AND protocol_id = ?2";

// run, protocol, analyzer, documents, links
inline constexpr char kInsertLinkBasis[] =
    "INSERT INTO link_basis (run_id, protocol_id, analyzer, documents, links) VALUES (?1, ?2, ?3, ?4, ?5)";

// run, protocol, analyzer -> id, documents, links
inline constexpr char kLinkBasisByAnalyzer[] =
    "SELECT id, documents, links FROM link_basis WHERE run_id = ?1 AND protocol_id = ?2 AND analyzer = ?3";

// run, protocol; whatever its analyzer
inline constexpr char kLinkBasisExists[] = "SELECT 1 FROM link_basis WHERE run_id = ?1 AND protocol_id = ?2";

}  // namespace residue::storage::sql
