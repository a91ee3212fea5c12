// Statements on the table link_place (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, protocol, record
inline constexpr char kDeleteLinkPlaceOfRecord[] =
    "DELETE FROM link_place WHERE run_id = ?1 AND protocol_id = ?2 AND record_id = ?3";

// run, protocol, record, ahead, level, persons, own person, sure, alone, rest sure, rest alone
inline constexpr char kInsertOrReplaceLinkPlace[] =
    "INSERT OR REPLACE INTO link_place (run_id, protocol_id, record_id, ahead, level, persons, own_person, sure, "
    "alone, "
    "rest_sure, rest_alone) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";

// evaluation of tier link, metric -> unit, state, numerator, sure, rest sure; of its records in order
inline constexpr char kLinkPlacesOfEvaluation[] =
    "SELECT s.unit, s.state, s.num, p.sure, p.rest_sure FROM score s JOIN evaluation e ON e.id = s.evaluation_id LEFT "
    "JOIN link_place p ON p.run_id = e.run_id AND p.protocol_id = e.protocol_id AND p.record_id = s.record_id WHERE "
    "s.evaluation_id = ?1 AND s.metric = ?2 AND s.cut = 0 ORDER BY s.record_id";

// run, protocol -> record, ahead, level, persons, own person, sure, alone, rest sure, rest alone
inline constexpr char kLinkPlacesOfRunUnderProtocol[] =
    "SELECT record_id, ahead, level, persons, own_person, sure, alone, rest_sure, rest_alone FROM link_place WHERE "
    "run_id = ?1 AND protocol_id = ?2";

}  // namespace residue::storage::sql
