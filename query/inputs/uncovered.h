// Which records an attack is not about: numbers over the others say nothing of these.
#pragma once

#include <cstdint>
#include <string>

#include "query/inputs/protocol.h"
#include "storage/store.h"

namespace residue::query {

// Records of the dataset, whatever the run; each is counted once. Of a sample: of the whole dataset too.
struct Uncovered {
  std::int64_t records = 0;
  std::int64_t no_text = 0;    // the original is empty
  std::int64_t no_claims = 0;  // it has none in the claim set
  std::int64_t not_said = 0;   // the attacker knows nothing of it: no paraphrase, or nothing was given
  std::int64_t too_few = 0;    // he knows all of its claims: none is left to judge

  [[nodiscard]] std::int64_t sum() const { return no_text + no_claims + not_said + too_few; }
};

// Cost: one pass over the claims. Nothing under the policy `all`, which leaves no claim to judge by its meaning.
Uncovered uncovered(storage::Store& store, ProtocolId protocol, const ProtocolSpec& spec);

// "the attack is not about 36 of 40 records: 36 without claims"; empty where it is about all.
std::string uncovered_note(const Uncovered& counts, const ProtocolSpec& spec);

}  // namespace residue::query
