// What falls when answers of a model cannot be believed any more, on all floors that make something of answers.
#pragma once

#include "model/limits/withdrawn.h"

namespace residue::verbs {

// Takes away judgments, answers to tasks, and claims.
model::Withdraw withdrawing();

}  // namespace residue::verbs
