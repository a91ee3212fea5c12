// Statements on the table claim_set (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kClaimSetAnyOfDataset[] = "SELECT 1 FROM claim_set WHERE dataset_id = ?1";

// dataset, name -> id
inline constexpr char kClaimSetByName[] = "SELECT id FROM claim_set WHERE dataset_id = ?1 AND name = ?2";

// dataset, name -> id, source, content, categorizer, origin
inline constexpr char kClaimSetByNameWithSource[] =
    "SELECT id, source, content, categorizer, origin FROM claim_set WHERE dataset_id = ?1 AND name = ?2";

// NULL: files, or nobody
inline constexpr char kClaimSetCategorizer[] = "SELECT categorizer FROM claim_set WHERE id = ?1";

// dataset, name -> categorizer; 'files' where files said categories, '' where nobody did
inline constexpr char kClaimSetCategorizerByName[] =
    "SELECT coalesce(categorizer, CASE WHEN categories IS NULL THEN '' ELSE 'files' END) FROM claim_set WHERE "
    "dataset_id = ?1 AND name = ?2";

inline constexpr char kClaimSetContent[] = "SELECT content FROM claim_set WHERE id = ?1";

inline constexpr char kClaimSetContentWithCategories[] = "SELECT content, categories FROM claim_set WHERE id = ?1";

// dataset name -> sets, whether one is called 'claims', first name in byte order
inline constexpr char kClaimSetCountWithFirstName[] =
    "SELECT count(*), max(s.name = 'claims'), min(s.name) FROM claim_set s JOIN dataset d ON d.id = s.dataset_id WHERE "
    "d.name = ?1";

// claim set, categorizer -> a row if that is who said its categories
inline constexpr char kClaimSetIsCategorizedBy[] = "SELECT 1 FROM claim_set WHERE id = ?1 AND categorizer = ?2";

// dataset -> name of the set judged by the protocol that it was evaluated with last
inline constexpr char kClaimSetNameOfLastEvaluation[] =
    "SELECT s.name FROM dataset d JOIN protocol p ON p.id = d.protocol_id JOIN auxiliary a ON a.id = p.auxiliary_id "
    "JOIN claim_set s ON s.id = a.claim_set_id WHERE d.id = ?1";

inline constexpr char kClaimSetNamesInOrder[] = "SELECT name FROM claim_set WHERE dataset_id = ?1 ORDER BY name";

// -> dataset, id, name, source; of sets that models made of records
inline constexpr char kClaimSetsAtomizedByModels[] =
    "SELECT dataset_id, id, name, source FROM claim_set WHERE source GLOB 'model *' AND words_of IS NULL";

// dataset, name -> words_of, whether that set is unchanged (NULL: gone); no row: own words
inline constexpr char kClaimSetWordsOfByName[] =
    "SELECT s.words_of, s.made_from = o.content FROM claim_set s LEFT JOIN claim_set o ON o.dataset_id = s.dataset_id "
    "AND o.name = s.words_of WHERE s.dataset_id = ?1 AND s.name = ?2 AND s.words_of IS NOT NULL";

// claims per request -> dataset id, dataset name, set name; of sets with claims in such requests
inline constexpr char kClaimSetsCutBySize[] =
    "SELECT d.id, d.name, s.name FROM claim_set s JOIN dataset d ON d.id = s.dataset_id WHERE EXISTS (SELECT 1 FROM "
    "claim_request t WHERE t.claim_set_id = s.id AND t.size = ?1)";

// dataset -> id, name, content, categories, whether its claims, or those that it words anew, are from outside
inline constexpr char kClaimSetsInNameOrder[] =
    "SELECT s.id, s.name, s.content, s.categories, s.origin = 'outside' OR EXISTS (SELECT 1 FROM claim_set o WHERE "
    "o.dataset_id = s.dataset_id AND o.name = s.words_of AND o.origin = 'outside') FROM claim_set s WHERE s.dataset_id "
    "= ?1 ORDER BY s.name";

// dataset -> id, name, whether of the records as they are; the set that the embedded atomizer made, of several one that
// is
inline constexpr char kClaimSetOfSentences[] =
    "SELECT s.id, s.name, s.made_from IS d.content FROM claim_set s JOIN dataset d ON d.id = s.dataset_id WHERE d.id = "
    "?1 AND s.source GLOB 'sentences/*' ORDER BY 3 DESC, s.name LIMIT 1";

// dataset -> id, name, source, content, categorizer, whether that is of rules, made_from, words_of, origin
inline constexpr char kClaimSetsInNameOrderWithSource[] =
    "SELECT id, name, source, content, categorizer, coalesce(categorizer GLOB 'rules/*', 0), made_from, words_of, "
    "origin FROM claim_set WHERE dataset_id = ?1 ORDER BY name";

// dataset -> name, words_of; of sets whose original set changed since or is gone, by name
inline constexpr char kClaimSetsInWordsOfOtherClaims[] =
    "SELECT s.name, s.words_of FROM claim_set s LEFT JOIN claim_set o ON o.dataset_id = s.dataset_id AND o.name = "
    "s.words_of WHERE s.dataset_id = ?1 AND s.words_of IS NOT NULL AND s.made_from IS NOT o.content ORDER BY s.name";

// dataset -> names, in order; of sets made before the dataset's records changed
inline constexpr char kClaimSetsMadeFromOtherRecords[] =
    "SELECT s.name FROM claim_set s JOIN dataset d ON d.id = s.dataset_id WHERE d.id = ?1 AND s.words_of IS NULL AND "
    "s.made_from IS NOT NULL AND s.made_from <> d.content ORDER BY s.name";

// dataset -> name, source, claims, records with claims, origin; by name
inline constexpr char kClaimSetsWithCounts[] =
    "SELECT s.name, s.source, count(c.n), count(DISTINCT c.record_id), s.origin FROM claim_set s LEFT JOIN claim c ON "
    "c.claim_set_id = s.id WHERE s.dataset_id = ?1 GROUP BY s.id ORDER BY s.name";

// dataset, name, source, content, origin
inline constexpr char kInsertClaimSet[] =
    "INSERT INTO claim_set (dataset_id, name, source, content, origin) VALUES (?1, ?2, ?3, ?4, ?5)";

// dataset, name, source, content, categorizer, made_from, words_of, origin
inline constexpr char kInsertClaimSetWithCategorizer[] =
    "INSERT INTO claim_set (dataset_id, name, source, content, categorizer, made_from, words_of, origin) VALUES (?1, "
    "?2, ?3, ?4, ?5, ?6, ?7, ?8)";

// claim set; to be run whenever a category of its claims changed
inline constexpr char kUpdateClaimSetCategories[] = "UPDATE claim_set SET categories = randomblob(16) WHERE id = ?1";

// claim set, categorizer; renews categories, too
inline constexpr char kUpdateClaimSetCategorizer[] =
    "UPDATE claim_set SET categorizer = ?2, categories = randomblob(16) WHERE id = ?1";

inline constexpr char kUpdateClaimSetCategorizerToNull[] = "UPDATE claim_set SET categorizer = NULL WHERE id = ?1";

// claim set, content, whether categories of its claims changed
inline constexpr char kUpdateClaimSetContent[] =
    "UPDATE claim_set SET content = ?2, categories = CASE WHEN ?3 THEN randomblob(16) ELSE categories END WHERE id = "
    "?1";

// dataset, name; made_from becomes the dataset's content as it is now
inline constexpr char kUpdateClaimSetMadeFromDataset[] =
    "UPDATE claim_set SET made_from = (SELECT content FROM dataset WHERE id = ?1) WHERE dataset_id = ?1 AND name = ?2";

// dataset, original set's name, made_from, another: where it was the first; of sets in other words
inline constexpr char kUpdateClaimSetsMadeFromWords[] =
    "UPDATE claim_set SET made_from = ?4 WHERE dataset_id = ?1 AND words_of = ?2 AND made_from = ?3";

// dataset, made_from, another: where it was the first; of sets made of the records
inline constexpr char kUpdateClaimSetsMadeFrom[] =
    "UPDATE claim_set SET made_from = ?3 WHERE dataset_id = ?1 AND made_from = ?2 AND words_of IS NULL";

// claim set, made_from, words_of
inline constexpr char kUpdateClaimSetMadeFromWords[] =
    "UPDATE claim_set SET made_from = ?2, words_of = ?3 WHERE id = ?1";

// claim set, source
inline constexpr char kUpdateClaimSetSource[] = "UPDATE claim_set SET source = ?2 WHERE id = ?1";

}  // namespace residue::storage::sql
