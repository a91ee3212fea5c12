// Claims fall with the replies that they were read from.
#pragma once

#include <cstdint>

#include "model/limits/withdrawn.h"
#include "storage/store.h"

namespace residue::ingest {

// A record whose claims a model made with one of `votes` has none in that set, until `atomize` asks again: it counts as
// missing, thus as leaked. A set of a run's claims with such a text counts as never finished: attackers refuse it.
// Returns of how many texts. Left alone are paraphrases and categories, whose prompts are single claims.
// Cost: reads the texts of all datasets and runs with claims by a model.
std::uint64_t withdraw_claims(storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes);

}  // namespace residue::ingest
