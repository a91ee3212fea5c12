// The ledger of private releases, from the side of who makes them: said before, kept with the first texts.
#pragma once

#include <string>
#include <string_view>

#include "ingest/method/synthesizer.h"
#include "storage/store.h"

namespace residue::ingest {

// What the dataset's releases have spent of each unit so far, and what it will be with this one: a line.
std::string spending_line(storage::Store& store, std::string_view dataset, const Promise& promise);

// What they have spent: a line.
std::string spent_line(storage::Store& store, std::string_view dataset, std::string_view unit);

// Within a write batch.
void keep_release(storage::Db& db, std::string_view dataset, std::string_view run, const Promise& promise);

}  // namespace residue::ingest
