// Labels in random histories: facts of the store, like answers. Spans may be of texts that are gone.
#pragma once

#include <string>

#include "storage/store.h"
#include "tests/query/history/history_dice.h"
#include "tests/query/history/history_model.h"

namespace residue::query::testing {

// New labels of records, others in their place, or the removal of some. `store` may be null.
void change_labels(const std::string& name, const Dataset& dataset, Dice& dice, storage::Store* store);

// The labels of `from`, in another order.
void copy_labels(storage::Store& from, storage::Store& to, const std::string& name, Dice& dice);

}  // namespace residue::query::testing
