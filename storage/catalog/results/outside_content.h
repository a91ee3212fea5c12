// Statements on the view outside_content (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, protocol, judge, control -> what claims_content is when it is up to date
inline constexpr char kOutsideContent[] =
    "SELECT content FROM outside_content WHERE run_id = ?1 AND protocol_id = ?2 AND judge_id = ?3 AND control_id = ?4";

}  // namespace residue::storage::sql
