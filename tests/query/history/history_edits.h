// What a command of a random history does to a dataset: the model changes, and the same rows go into the store.
#pragma once

#include <string>

#include "storage/store.h"
#include "tests/query/history/history_dice.h"
#include "tests/query/history/history_model.h"
#include "tests/query/history/history_writer.h"

namespace residue::query::testing {

// New records; with `edit` changes of old ones as well.
void change_records(Dataset& dataset, Dice& dice, Writer& writer, bool edit);

// New and changed claims of some records: all of a record's at once (`arrays`), or one.
void change_claims(Dataset& dataset, Dice& dice, Writer& writer, bool arrays);

// A new run or edits of one.
void change_aligned(Dataset& dataset, Dice& dice, Writer& writer);
void change_synthetic(Dataset& dataset, Dice& dice, Writer& writer);

// An input with the rows as they were before the last edit; rows that were not there then stay.
void restore_run(Dataset& dataset, Dice& dice, Writer& writer);

// `store` may be null: then the model alone forgets the record. Does nothing where a run, or the claims, would be left
// with nothing.
void remove_record(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store);

// `store` may be null: then the model alone forgets the run.
void remove_run(const std::string& name, Dataset& dataset, Dice& dice, storage::Store* store);

}  // namespace residue::query::testing
