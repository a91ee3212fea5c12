// The parts of `show` that are about one record: its texts, the attack on it, one of its claims.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "verbs/look/show.h"

namespace residue::verbs {

// The caller holds Store::hold_texts().
ShownRecord show_record(storage::Store& store, query::RecordCard card);

// Throws as query::open_judge.
ShownAttack show_attack(storage::Store& store, const query::Lens& lens, query::RecordCard card, const std::string& run);

// `lens`: nothing: no run was attacked. Throws Error{not found} for a claim that the record has not.
ShownClaim show_claim(storage::Store& store, const std::optional<query::Lens>& lens, const query::RecordCard& card,
                      std::uint32_t n);

}  // namespace residue::verbs
