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

// The first of them that is about this run or these claims: why no number of theirs is of the present records.
// Empty: they are. `claim_set` empty: claims do not matter.
std::string outdated_note(storage::Db& db, const std::string& dataset, const std::string& run,
                          const std::string& claim_set);

// One sentence for each synthetic run with failed texts, or none at all: all records count as failed (RunView::lost).
std::vector<std::string> lost_notes(storage::Db& db, const std::string& dataset);

// One sentence where labels are of words that their records' texts do not have any more, as the last evaluation found.
std::vector<std::string> label_notes(storage::Db& db, const std::string& dataset);

// The first two: what a reader of the dataset's numbers must know.
std::vector<std::string> dataset_notes(storage::Db& db, const std::string& dataset);

}  // namespace residue::query
