// Statements on the table program_answer (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteProgramAnswerOfVariant[] = "DELETE FROM program_answer WHERE variant_id = ?1";

// run, record, given, asked; nothing where the variant failed
inline constexpr char kInsertOrUpdateProgramAnswer[] =
    "INSERT INTO program_answer (variant_id, given, asked) SELECT id, ?3, ?4 FROM variant WHERE run_id = ?1 AND "
    "record_id = ?2 AND text_id IS NOT NULL ON CONFLICT DO UPDATE SET given = excluded.given, asked = excluded.asked";

// dataset, run name, asked -> a row if another program or setting answered for any variant
inline constexpr char kProgramAnswerAnyOfOtherProgram[] =
    "SELECT 1 FROM run u JOIN variant v ON v.run_id = u.id JOIN program_answer a ON a.variant_id = v.id WHERE "
    "u.dataset_id = ?1 AND u.name = ?2 AND a.asked <> ?3 LIMIT 1";

// dataset, run name, asked -> a row if this program and setting answered for any variant
inline constexpr char kProgramAnswerAnyOfProgram[] =
    "SELECT 1 FROM run u JOIN variant v ON v.run_id = u.id JOIN program_answer a ON a.variant_id = v.id WHERE "
    "u.dataset_id = ?1 AND u.name = ?2 AND a.asked = ?3 LIMIT 1";

// dataset, run name, record, given, asked -> variant's text, whether it is the answer (NULL: there is none)
inline constexpr char kProgramAnswerOfRecordWithText[] =
    "SELECT v.text_id, a.given = ?4 AND a.asked = ?5 FROM run u JOIN variant v ON v.run_id = u.id LEFT JOIN "
    "program_answer a ON a.variant_id = v.id WHERE u.dataset_id = ?1 AND u.name = ?2 AND v.record_id = ?3";

// run, record -> variant's text, given, asked; nothing where it is not known what the variant was made of
inline constexpr char kProgramAnswerOfVariant[] =
    "SELECT v.text_id, a.given, a.asked FROM variant v JOIN program_answer a ON a.variant_id = v.id WHERE v.run_id = "
    "?1 AND v.record_id = ?2";

}  // namespace residue::storage::sql
