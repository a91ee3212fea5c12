// Answers to tasks fall with the replies that they were read from.
#pragma once

#include <cstdint>

#include "model/limits/withdrawn.h"
#include "storage/store.h"

namespace residue::ingest {

// The records (or texts) whose stored answer to a task has one of `votes` count as asked without an answer, until they
// are asked about again: as the worst, like all that nobody could read. Returns how many answers. Left alone is what a
// model restored in a response, and what a model judged of guesses.
// Cost: reads the texts of all runs that were asked about.
std::uint64_t withdraw_answers(storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes);

}  // namespace residue::ingest
