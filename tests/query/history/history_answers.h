// Answers to tasks in random histories. Which texts an answer is about is a fact of the store, like the answer itself:
// the model does not follow it, a fresh store is told.
#pragma once

#include <string>

#include "storage/store.h"
#include "tests/query/history/history_dice.h"
#include "tests/query/history/history_model.h"

namespace residue::query::testing {

// Answers of one of two models to some tasks about an aligned run or the originals. `store` may be null.
void change_answers(const std::string& name, const Dataset& dataset, Dice& dice, storage::Store* store);

// The answers of `from` in another order; those about texts that are gone are about none in `to` either.
void copy_answers(storage::Store& from, storage::Store& to, const std::string& name, Dice& dice);

}  // namespace residue::query::testing
