// Statements on the table claim (schema.sql).
#pragma once

namespace residue::storage::sql {

// claim set -> a row if any of its claims has a category
inline constexpr char kClaimAnyWithCategory[] =
    "SELECT 1 FROM claim WHERE claim_set_id = ?1 AND category IS NOT NULL LIMIT 1";

// claim set -> a row if files said a category: there is one, and no categorizer
inline constexpr char kClaimAnyWithCategoryFromFiles[] =
    "SELECT 1 FROM claim_set s JOIN claim c ON c.claim_set_id = s.id WHERE s.id = ?1 AND s.categorizer IS NULL AND "
    "c.category IS NOT NULL LIMIT 1";

// claim set, record, n -> n, text, category
inline constexpr char kClaimByN[] =
    "SELECT n, text_id, category FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 AND n = ?3";

// dataset, record key, set name, n -> claim's text, record
inline constexpr char kClaimByRecordKeySetAndN[] =
    "SELECT c.text_id, r.id FROM record r JOIN claim c ON c.record_id = r.id JOIN claim_set s ON s.id = c.claim_set_id "
    "WHERE r.dataset_id = ?1 AND r.key = ?2 AND s.name = ?3 AND c.n = ?4";

// protocol -> JSON arrays, each once, of the claims that it judges
inline constexpr char kClaimCategoriesOfProtocol[] =
    "SELECT DISTINCT c.category FROM claim c JOIN auxiliary a ON a.claim_set_id = c.claim_set_id JOIN protocol p ON "
    "p.auxiliary_id = a.id WHERE p.id = ?1 AND c.category IS NOT NULL";

// dataset -> single categories, each once, of all claim sets
inline constexpr char kClaimCategoryNamesOfDataset[] =
    "SELECT DISTINCT j.value FROM claim_set s JOIN claim c ON c.claim_set_id = s.id JOIN json_each(c.category) j WHERE "
    "s.dataset_id = ?1 AND c.category IS NOT NULL";

// of all claim sets
inline constexpr char kClaimCountOfDataset[] =
    "SELECT count(*) FROM claim WHERE claim_set_id IN (SELECT id FROM claim_set WHERE dataset_id = ?1)";

inline constexpr char kClaimCountOfSet[] = "SELECT count(*) FROM claim WHERE claim_set_id = ?1";

// claim set -> claims, those with at least one category
inline constexpr char kClaimCountsOfSetByCategory[] =
    "SELECT count(*), count(*) FILTER (WHERE category <> '[]') FROM claim WHERE claim_set_id = ?1";

// claim set, record, n -> text
inline constexpr char kClaimTextByN[] =
    "SELECT text_id FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 AND n = ?3";

// record, n, set name or NULL: any -> text; the set 'claims' first, then by name
inline constexpr char kClaimTextByRecordAndN[] =
    "SELECT text_id FROM claim JOIN claim_set ON claim_set.id = claim_set_id WHERE record_id = ?1 AND n = ?2 AND (?3 "
    "IS NULL OR name = ?3) ORDER BY name <> 'claims', name";

inline constexpr char kClaimTextsOfSet[] = "SELECT text_id FROM claim WHERE claim_set_id = ?1";

// dataset name or NULL: all -> text, dataset name, record key, n; of all claim sets, in order of the names
inline constexpr char kClaimTextsWithNames[] =
    "SELECT c.text_id, d.name, r.key, c.n FROM claim c JOIN record r ON r.id = c.record_id JOIN dataset d ON d.id = "
    "r.dataset_id WHERE ?1 IS NULL OR d.name = ?1 ORDER BY d.name, r.key, c.n";

// claim set, whether to leave out categories -> record, n, text, category; by record key, n
inline constexpr char kClaimsInKeyOrderWithCategory[] =
    "SELECT c.record_id, c.n, c.text_id, CASE WHEN ?2 THEN NULL ELSE c.category END FROM claim c JOIN record r ON r.id "
    "= c.record_id WHERE c.claim_set_id = ?1 ORDER BY r.key, c.n";

// claim set, record -> n, text; by n
inline constexpr char kClaimsOfRecord[] =
    "SELECT n, text_id FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 ORDER BY n";

// claim set, record -> n, text, category; by n
inline constexpr char kClaimsOfRecordWithCategory[] =
    "SELECT n, text_id, category FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 ORDER BY n";

// claim set -> record, n, text, category; by record, n
inline constexpr char kClaimsOfSetWithCategory[] =
    "SELECT record_id, n, text_id, category FROM claim WHERE claim_set_id = ?1 ORDER BY record_id, n";

// claim set, at most -> record, n, text; where nobody said a category
inline constexpr char kClaimsWithoutCategory[] =
    "SELECT record_id, n, text_id FROM claim WHERE claim_set_id = ?1 AND category IS NULL LIMIT ?2";

// record, set name or NULL: any -> highest n; 0: no claims
inline constexpr char kClaimHighestNumberOfRecord[] =
    "SELECT coalesce(max(n), 0) FROM claim JOIN claim_set ON claim_set.id = claim_set_id WHERE record_id = ?1 AND (?2 "
    "IS NULL OR name = ?2)";

// claim set, record, n
inline constexpr char kDeleteClaim[] = "DELETE FROM claim WHERE claim_set_id = ?1 AND record_id = ?2 AND n = ?3";

// claim set, record, n, text, category
inline constexpr char kInsertClaim[] =
    "INSERT INTO claim (claim_set_id, record_id, n, text_id, category) VALUES (?1, ?2, ?3, ?4, ?5)";

// claim set, record, n, text, category; one that is there gets this text and category
inline constexpr char kInsertOrUpdateClaim[] =
    "INSERT INTO claim (claim_set_id, record_id, n, text_id, category) VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO "
    "UPDATE SET text_id = ?4, category = ?5";

inline constexpr char kUpdateClaimCategoriesToNull[] = "UPDATE claim SET category = NULL WHERE claim_set_id = ?1";

// claim set, record, n, category; changes nothing where it is the same
inline constexpr char kUpdateClaimCategory[] =
    "UPDATE claim SET category = ?4 WHERE claim_set_id = ?1 AND record_id = ?2 AND n = ?3 AND category IS NOT ?4";

// claim set, record, n, text, category; only while it has this text and no category
inline constexpr char kUpdateClaimCategoryWhereNobodySaid[] =
    "UPDATE claim SET category = ?5 WHERE claim_set_id = ?1 AND record_id = ?2 AND n = ?3 AND text_id = ?4 AND "
    "category IS NULL";

}  // namespace residue::storage::sql
