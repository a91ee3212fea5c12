// Judgments fall with the answers that they were made of: next time the judge is asked again.
//
//   answers taken back ─> their votes ─> judgments with such a vote: deleted ─> scores of their judges: to be made anew
#pragma once

#include "model/limits/withdrawn.h"
#include "storage/store.h"

namespace residue::query {

// Deletes the judgments of all model judges, and cascades of them, that one of `votes` is a vote of, and marks what was
// scored by these judges as due. Also where a vote only said whether a passage speaks to its judge. Judges of earlier
// versions, whose votes nobody can tell any more, are left alone. Cost: reads the texts of all judgments by models.
model::Withdrawn withdraw_judgments(storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes);

}  // namespace residue::query
