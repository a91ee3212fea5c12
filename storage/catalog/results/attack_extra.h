// Statements on the view attack_extra (schema.sql).
#pragma once

namespace residue::storage::sql {

// dataset, kind, name, run -> the input's content as in attack_extra, '-': there is none
inline constexpr char kAttackExtraOfOneInput[] =
    "SELECT coalesce(nullif(lower(hex(CASE ?2 WHEN 'claim_set' THEN (SELECT content FROM claim_set WHERE dataset_id = "
    "?1 AND name = ?3) WHEN 'run' THEN (SELECT content FROM run WHERE dataset_id = ?1 AND name = ?3) WHEN 'run_claims' "
    "THEN (SELECT hex(made_from) || hex(content) FROM run_claim_set WHERE run_id = ?4 AND name = ?3) WHEN 'embedder' "
    "THEN (SELECT CASE WHEN q.id IS NULL THEN v.content ELSE hex(v.content) || hex(q.content) END FROM embedder v LEFT "
    "JOIN embedder_origin o ON o.name = v.name AND o.queries <> o.name LEFT JOIN embedder q ON q.name = o.queries "
    "WHERE v.name = ?3) END)), ''), '-')";

}  // namespace residue::storage::sql
