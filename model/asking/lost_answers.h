// Answers that the ledger says were saved, and that facts/ does not find though nobody purged them: they are damaged.
// To ask again would pay for them twice in silence.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "storage/facts/answer_check.h"
#include "storage/store.h"

namespace residue::model {

using AnswerPlace = storage::AnswerCheck::Place;

// A row of the ledger whose answer is damaged (EgressRow::state).
inline constexpr std::string_view kDamaged = "damaged";

// Throws Error{corrupt} for so many answers that are lost; does nothing for none.
void refuse_lost(std::size_t count);

// To be called before these votes are asked. Throws Error{corrupt} if an answer to one of them was paid for and is
// lost.
void require_kept(storage::Store& store, std::span<const VoteKey> votes);

}  // namespace residue::model
