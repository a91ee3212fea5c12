// Statements on the view input_content (schema.sql).
#pragma once

namespace residue::storage::sql {

// dataset, kind, name, run -> the input's content as in attack_extra, '-': there is none
inline constexpr char kInputContentOfOne[] =
    "SELECT coalesce((SELECT content FROM input_content WHERE kind = ?2 AND name = ?3 AND coalesce(dataset_id, ?1) = "
    "?1 AND coalesce(run_id, ?4) = ?4), '-')";

}  // namespace residue::storage::sql
