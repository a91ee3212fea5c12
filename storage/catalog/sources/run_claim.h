// Statements on the table run_claim (schema.sql).
#pragma once

namespace residue::storage::sql {

// set, variant, the last n that stays
inline constexpr char kDeleteRunClaimsOfVariantBeyond[] =
    "DELETE FROM run_claim WHERE set_id = ?1 AND variant_id = ?2 AND n > ?3";

// set, variant, n, text
inline constexpr char kInsertOrUpdateRunClaim[] =
    "INSERT INTO run_claim (set_id, variant_id, n, text_id) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET text_id "
    "= ?4";

// set, variant, n, text
inline constexpr char kInsertRunClaim[] =
    "INSERT INTO run_claim (set_id, variant_id, n, text_id) VALUES (?1, ?2, ?3, ?4)";

// run, set's name, record (aligned), key (synthetic), n -> text
inline constexpr char kRunClaimTextBySetNameAndVariant[] =
    "SELECT c.text_id FROM run_claim_set s JOIN run_claim c ON c.set_id = s.id JOIN variant v ON v.id = c.variant_id "
    "WHERE s.run_id = ?1 AND s.name = ?2 AND (v.record_id = ?3 OR v.key = ?4) AND c.n = ?5";

// run -> text; of all its sets
inline constexpr char kRunClaimTextsOfRun[] =
    "SELECT c.text_id FROM run_claim c JOIN run_claim_set s ON s.id = c.set_id WHERE s.run_id = ?1";

// set -> owner (the record, of synthetic runs the variant), n, text; by owner and n
inline constexpr char kRunClaimsOfSetByOwner[] =
    "SELECT coalesce(v.record_id, v.id) AS owner, c.n, c.text_id FROM run_claim c JOIN variant v ON v.id = "
    "c.variant_id WHERE c.set_id = ?1 ORDER BY owner, c.n";

// set -> variant, n, text; by variant and n
inline constexpr char kRunClaimsOfSetByVariant[] =
    "SELECT variant_id, n, text_id FROM run_claim WHERE set_id = ?1 ORDER BY variant_id, n";

// set, variant -> n, text; by n
inline constexpr char kRunClaimsOfVariant[] =
    "SELECT n, text_id FROM run_claim WHERE set_id = ?1 AND variant_id = ?2 ORDER BY n";

}  // namespace residue::storage::sql
