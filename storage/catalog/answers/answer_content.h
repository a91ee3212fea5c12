// Statements on the view answer_content (schema.sql).
#pragma once

namespace residue::storage::sql {

// run, set -> content of the run, of the dataset, of the answers (answer_content)
inline constexpr char kAnswerSetPresentContents[] =
    "SELECT u.content, d.content, (SELECT content FROM answer_content WHERE set_id = ?2) FROM run u JOIN dataset d ON "
    "d.id = u.dataset_id WHERE u.id = ?1";

}  // namespace residue::storage::sql
