// What was made here (claims by `atomize`, runs by `sanitize`) from records that have changed since: its numbers are
// those of the old records.
#pragma once

#include <string>
#include <vector>

#include "storage/catalog/sqlite.h"

namespace residue::query {

// One sentence each, with the command that brings it up to date; claim sets first, by name in byte order. Empty where
// everything belongs to the present records.
std::vector<std::string> outdated_notes(storage::Db& db, const std::string& dataset);

// The first such sentence about this run or these claims. It says why their numbers are not of the present records.
// Empty where they are. With an empty `claim_set`, claims do not matter.
std::string outdated_note(storage::Db& db, const std::string& dataset, const std::string& run,
                          const std::string& claim_set);

// One sentence for each synthetic run with failed texts, or none at all: all records count as failed (RunView::lost).
std::vector<std::string> lost_notes(storage::Db& db, const std::string& dataset);

// One sentence if labels mark words that their records' texts no longer have, as the last evaluation found.
std::vector<std::string> label_notes(storage::Db& db, const std::string& dataset);

// The results of the first two functions: what a reader of the dataset's numbers must know.
std::vector<std::string> dataset_notes(storage::Db& db, const std::string& dataset);

}  // namespace residue::query
