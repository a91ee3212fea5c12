// Statements on the table label (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteLabel[] = "DELETE FROM label WHERE id = ?1";

// dataset, kind, record, annotator, subject, payload
inline constexpr char kInsertLabel[] =
    "INSERT INTO label (dataset_id, kind, record_id, annotator, subject_id, payload_id) VALUES (?1, ?2, ?3, ?4, ?5, "
    "?6)";

// dataset, kind, record, annotator, payload, subject
inline constexpr char kInsertLabelPayloadFirst[] =
    "INSERT INTO label (dataset_id, kind, record_id, annotator, payload_id, subject_id) VALUES (?1, ?2, ?3, ?4, ?5, "
    "?6)";

// dataset, kind, record, run, annotator, subject, payload
inline constexpr char kInsertOrReplaceLabelWithRun[] =
    "INSERT OR REPLACE INTO label (dataset_id, kind, record_id, run_id, annotator, subject_id, payload_id) VALUES (?1, "
    "?2, ?3, ?4, ?5, ?6, ?7)";

// dataset, kind -> annotators, each once, in order
inline constexpr char kLabelAnnotatorsOfKind[] =
    "SELECT DISTINCT annotator FROM label WHERE dataset_id = ?1 AND kind = ?2 AND annotator IS NOT NULL ORDER BY 1";

// dataset -> payloads of kind attribute, each once
inline constexpr char kLabelAttributePayloadsOfDataset[] =
    "SELECT DISTINCT payload_id FROM label WHERE dataset_id = ?1 AND kind = 'attribute'";

// dataset, record -> payloads of kind attribute, in order
inline constexpr char kLabelAttributePayloadsOfRecord[] =
    "SELECT payload_id FROM label WHERE dataset_id = ?1 AND kind = 'attribute' AND record_id = ?2 ORDER BY payload_id";

// dataset -> record, payload; of kind attribute
inline constexpr char kLabelAttributesInPayloadOrder[] =
    "SELECT record_id, payload_id FROM label WHERE dataset_id = ?1 AND kind = 'attribute' ORDER BY payload_id";

// dataset, kind, record, subject -> id, payload
inline constexpr char kLabelBySubject[] =
    "SELECT id, payload_id FROM label WHERE dataset_id = ?1 AND kind = ?2 AND record_id = ?3 AND subject_id = ?4";

inline constexpr char kLabelCountOfDataset[] = "SELECT count(*) FROM label WHERE dataset_id = ?1";

inline constexpr char kLabelCountOfRun[] = "SELECT count(*) FROM label WHERE run_id = ?1";

// dataset -> payloads of kinds that give names: attribute, span, entity
inline constexpr char kLabelNamePayloadsOfDataset[] =
    "SELECT payload_id FROM label WHERE dataset_id = ?1 AND kind IN ('attribute', 'span', 'entity')";

// dataset, kind, record, subject -> payload
inline constexpr char kLabelPayloadBySubject[] =
    "SELECT payload_id FROM label WHERE dataset_id = ?1 AND kind = ?2 AND record_id = ?3 AND subject_id = ?4";

// dataset, record -> payloads of kind span
inline constexpr char kLabelSpanPayloadsOfRecord[] =
    "SELECT payload_id FROM label WHERE dataset_id = ?1 AND kind = 'span' AND record_id = ?2";

// dataset -> kind, record, payload; of the kinds span and entity, in no order
inline constexpr char kLabelSpansAndEntities[] =
    "SELECT kind, record_id, payload_id FROM label WHERE dataset_id = ?1 AND kind IN ('span', 'entity')";

// dataset -> record, kind, payload; of the kinds span and entity
inline constexpr char kLabelSpansAndEntitiesInPayloadOrder[] =
    "SELECT record_id, kind, payload_id FROM label WHERE dataset_id = ?1 AND kind IN ('span', 'entity') ORDER BY "
    "payload_id";

// dataset -> record key, payload; of kind span, by payload
inline constexpr char kLabelSpansWithRecordKey[] =
    "SELECT r.key, l.payload_id FROM label l JOIN record r ON r.id = l.record_id WHERE l.dataset_id = ?1 AND l.kind = "
    "'span' ORDER BY l.payload_id";

// dataset name or NULL: all -> payload, record, key, annotator, dataset name, person; by label id
inline constexpr char kLabelSupportsWithNames[] =
    "SELECT l.payload_id, r.id, r.key, l.annotator, d.name, r.person FROM label l JOIN record r ON r.id = l.record_id "
    "JOIN dataset d ON d.id = l.dataset_id WHERE l.kind = 'support' AND (?1 IS NULL OR d.name = ?1) ORDER BY l.id";

// dataset, kind, record, beginning of the annotator -> id, payload, annotator
inline constexpr char kLabelsOfRecordByAnnotatorPrefix[] =
    "SELECT id, payload_id, annotator FROM label WHERE dataset_id = ?1 AND kind = ?2 AND record_id = ?3 AND "
    "substr(annotator, 1, length(?4)) = ?4";

// dataset -> kind, record, annotator, payload, subject; by id, without those of runs
inline constexpr char kLabelsWithoutRunInOrder[] =
    "SELECT kind, record_id, annotator, payload_id, subject_id FROM label WHERE dataset_id = ?1 AND run_id IS NULL "
    "ORDER BY id";

// dataset, kind, annotator or NULL: all
inline constexpr char kLabelCountOfKindByAnnotator[] =
    "SELECT count(*) FROM label WHERE dataset_id = ?1 AND kind = ?2 AND (?3 IS NULL OR annotator = ?3)";

// dataset, kind, annotator or NULL: all
inline constexpr char kDeleteLabelsOfKindByAnnotator[] =
    "DELETE FROM label WHERE dataset_id = ?1 AND kind = ?2 AND (?3 IS NULL OR annotator = ?3)";

}  // namespace residue::storage::sql
