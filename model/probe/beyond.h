// Answers to prompts that are longer than a model reads are taken back, and what was made of them.
#pragma once

#include <cstdint>

#include "model/limits/withdrawn.h"
#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::model {

struct BeyondReach {
  std::uint64_t answers = 0;  // that were believed
  Withdrawn withdrawn;        // what had been made of them
};

// Takes back the answers of this model's name and host to prompts with more than `longest` least_tokens(), in one
// commit with what was made of them. Answers to embeddings and those that say nothing of their prompts stay.
BeyondReach take_back_beyond(storage::Store& store, const Endpoint& endpoint, std::uint64_t longest,
                             const Withdraw& withdraw);

}  // namespace residue::model
