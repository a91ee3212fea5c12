// Statements on the table run_note (schema.sql).
#pragma once

namespace residue::storage::sql {

inline constexpr char kDeleteRunNote[] = "DELETE FROM run_note WHERE run_id = ?1";

// dataset -> how many
inline constexpr char kRunNoteCountOfDataset[] =
    "SELECT count(*) FROM run_note n JOIN run u ON u.id = n.run_id WHERE u.dataset_id = ?1";

// run, note
inline constexpr char kPutRunNote[] = "INSERT OR REPLACE INTO run_note (run_id, note) VALUES (?1, ?2)";

}  // namespace residue::storage::sql
