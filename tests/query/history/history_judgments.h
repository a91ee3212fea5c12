// Judgments made elsewhere in random histories: of the judge "x", about the texts of runs and what attackers know.
#pragma once

#include <vector>

#include "ingest/rows/rows.h"
#include "storage/store.h"
#include "tests/query/history/history_dice.h"
#include "tests/query/history/history_model.h"

namespace residue::query::testing {

// Some samples more, kept in `dataset.judgments`. `store` may be null.
void change_judgments(Dataset& dataset, Dice& dice, storage::Store* store);

void put_judgments(storage::Store& store, std::vector<ingest::JudgmentRow> rows, Dice& dice);

}  // namespace residue::query::testing
