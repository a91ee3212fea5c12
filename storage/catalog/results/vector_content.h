// Statements on the view vector_content (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, protocol, embedder -> content
inline constexpr char kVectorContentOfRun[] =
    "SELECT content FROM vector_content WHERE run_id = ?1 AND protocol_id = ?2 AND embedder_id = ?3";

}  // namespace residue::storage::sql
