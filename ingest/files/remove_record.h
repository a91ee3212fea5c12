// `rm DATASET/RECORD`: one record with all that is its own.
#pragma once

#include <string_view>

#include "ingest/files/remove.h"
#include "storage/store.h"

namespace residue::ingest {

bool has_record(storage::Store& store, std::string_view dataset, std::string_view key);

// Counts without removing: the record, its claims in all sets, its variants in all runs, its links, labels and answers.
// Throws Error{not found}.
Removed count_record(storage::Store& store, std::string_view dataset, std::string_view key);

// Removes these. All evaluations of the dataset are stale afterwards; claims that were made here of other records stay
// up to date, runs do not: a sanitizer may have learned from the record. Throws as remove_dataset.
Removed remove_record(storage::Store& store, std::string_view dataset, std::string_view key);

// The same rows, within a batch: for a removal that does more.
Removed erase_record_rows(storage::Db& db, std::string_view dataset, std::string_view key);

}  // namespace residue::ingest
