// Prompts that are known to be longer than what a model reads: they are neither sent nor written into files, and
// answers to them that nobody counted are not believed.
#pragma once

#include <cstdint>
#include <vector>

#include "model/asking/egress.h"
#include "model/limits/read_whole.h"
#include "model/server/endpoint.h"
#include "storage/store.h"

namespace residue::model {

// By what the user says of the endpoint, and what was found out and kept with it. `least`: least_tokens() of a prompt.
bool known_too_long(const Transport& transport, std::uint64_t least);

// The answers of this model's name and host that count as usable, to prompts of `least` least_tokens() and more, of
// which no server said how many tokens it had read: where such prompts are cut, these were as well. In the order of the
// ledger, which `db` sees as it is inside a write batch. All are `earlier`.
std::vector<PromptGrowth::Seen> uncounted_from(storage::Store& store, storage::Db& db, const Sender& sender,
                                               std::uint64_t least);

}  // namespace residue::model
