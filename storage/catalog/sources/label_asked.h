// Statements on the table label_asked (schema.sql).
#pragma once

namespace residue::storage::sql {

// label -> blind
inline constexpr char kLabelAskedBlind[] = "SELECT blind FROM label_asked WHERE label_id = ?1";

// label, blind, ms, chosen, now
inline constexpr char kInsertOrReplaceLabelAsked[] =
    "INSERT OR REPLACE INTO label_asked (label_id, blind, ms, chosen, asked_at) VALUES (?1, ?2, ?3, ?4, ?5)";

// label: it is blind no more
inline constexpr char kUpdateLabelAskedShown[] = "UPDATE label_asked SET blind = 0 WHERE label_id = ?1";

// dataset -> payload, record key, person, annotator, run name, blind, ms, chosen (the last three NULL: nobody asked);
// of kind support, by label id
inline constexpr char kLabelAskedOfSupports[] =
    "SELECT l.payload_id, r.key, r.person, l.annotator, u.name, k.blind, k.ms, k.chosen FROM label l JOIN record r ON "
    "r.id = l.record_id LEFT JOIN run u ON u.id = l.run_id LEFT JOIN label_asked k ON k.label_id = l.id WHERE "
    "l.dataset_id = ?1 AND l.kind = 'support' ORDER BY l.id";

}  // namespace residue::storage::sql
